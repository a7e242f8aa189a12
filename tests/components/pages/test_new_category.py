"""Test that a new category is one line of `Category` and a migration: the constraints of the database."""

import ast

import pytest
from django.apps import apps

from apps.accounts.actors import OPERATOR
from apps.competition.enums import SPECIFIED, Category
from apps.competition.models import ProgramEntry, SlotAllowance, StageSlot
from apps.competition.services.pieces import piece_add
from project.config import ROOT
from tests.apps.search.places import titles
from tests.components.pages.test_pieces import played
from tests.components.seen import attributes, every, opened, text
from tests.factories import AdminFactory, viewer_of
from tests.owner import as_owner

KEYS = frozenset(each.value for each in Category if each not in SPECIFIED) - {Category.OTHER.value}
# dictionaries of words in several languages, by the genre that a line of a program names
WORDS = {"apps/imports/program_lines/tokens.py"}


@pytest.fixture
def toccata(monkeypatch, db) -> Category:
    """Add a category as a new line of the table would, and drop the constraints that its migration would replace."""
    category = Category.__new_member__(Category, "toccata", "Toccatas", "toccata", "")
    category._name_, category._label_, category._sort_order_ = "TOCCATA", "Toccata", len(Category)
    monkeypatch.setitem(Category._member_map_, "TOCCATA", category)
    monkeypatch.setitem(Category._value2member_map_, "toccata", category)
    monkeypatch.setattr(Category, "_member_names_", [*Category._member_names_, "TOCCATA"])
    constraints = {
        "pieces": "piece_category_known",
        "slot_allowances": "allows_a_category_or_a_piece",
        "session_participant_pieces": "entry_slot_known",
    }
    for model in apps.get_app_config("competition").get_models():
        table = model._meta.db_table
        if name := constraints.get(table):
            kept = [each for each in model._meta.constraints if each.name != name]
            monkeypatch.setattr(model._meta, "constraints", kept)
            with as_owner() as cursor:
                cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for field in model._meta.fields:
            if field.name in ("category", "slot") and field.choices:
                monkeypatch.setattr(field, "choices", Category.choices)
    return category


def test_new_category_is_used_in_a_slot_a_program_the_search_and_pages(toccata):
    assert list(Category)[-1] is Category("toccata") is Category.of_work("toccata", "7") is toccata
    piece = piece_add(actor=OPERATOR, category="toccata", name="Toccata of a winter evening")
    entry = played(piece, "Ada Bach")
    stage = entry.appearance.session.stage
    slot = StageSlot.objects.create(stage=stage, order_number=1, label="A toccata")
    SlotAllowance.objects.create(slot=slot, category="toccata")
    assert ProgramEntry.objects.get(slot="toccata").piece == piece
    assert titles("winter toccata") == ["Toccata of a winter evening"]
    page = opened("/pieces?category=toccata").main
    assert "Toccata of a winter evening" in text(page)
    (current,) = (link for link in every(page, "a") if attributes(link).get("aria-current"))
    assert text(current) == "Toccatas"
    assert "Toccatas" in text(opened("/pieces").main)
    administration = opened("/admin/pieces", viewer_of(AdminFactory())).main
    assert "Toccata of a winter evening" in text(administration)


def test_no_other_file_lists_the_categories():
    listing = {}
    for folder in ("apps", "components", "project"):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if "/migrations/" in name or "node_modules" in name or name in WORDS | {"apps/competition/enums.py"}:
                continue
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
            members = {node.attr.lower() for node in nodes if isinstance(node, ast.Attribute) and node.attr.isupper()}
            if len(found := (texts | members) & KEYS) > 1:
                listing[name] = found
    assert listing == {}
