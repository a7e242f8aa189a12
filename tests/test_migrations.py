"""The migration check refuses each kind of change that breaks the previous version, and allows compatible ones."""

import sys
from types import ModuleType
from typing import Any

import pytest
from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.migrations_check import REASON, findings, refusals
from tests.migrations_released import RELEASED
from tests.offenders import check_each

APP = "core"  # any installed app
SHELF = migrations.CreateModel(
    "Shelf",
    [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=20)),
        ("note", models.TextField(null=True)),
        ("rank", models.IntegerField(db_default=1)),
    ],
    options={"db_table": "shelves", "constraints": [models.UniqueConstraint(fields=["name"], name="shelf_once")]},
)
BOX = migrations.CreateModel("Box", [("id", models.BigAutoField(primary_key=True)), ("name", models.TextField())])
BY_RANK = models.Index(fields=["rank"], name="shelf_by_rank")
SHORT = models.CheckConstraint(condition=models.Q(rank__lt=9), name="shelf_low")


def changed(name: str, field: "models.Field[Any, Any]") -> Operation:
    """Return an AlterField of the shelf."""
    return migrations.AlterField("shelf", name, field)


def added(field: "models.Field[Any, Any]") -> Operation:
    """Return an AddField of the shelf."""
    return migrations.AddField("shelf", "more", field)


def judged(*operations: Operation) -> list[str]:
    """Return the findings for a migration of these operations on an existing table of shelves."""
    state = ProjectState()
    SHELF.state_forwards(APP, state)
    return findings(type("Migration", (migrations.Migration,), {"operations": operations})("0099_try", APP), state)


REFUSED = [
    (migrations.DeleteModel("Shelf"), "shelves goes"),
    (migrations.RenameModel("Shelf", "Rack"), ""),  # the table keeps its explicit name
    (migrations.AlterModelTable("shelf", "racks"), "shelves goes"),
    (migrations.RemoveField("shelf", "note"), "shelves.note goes"),
    (migrations.RenameField("shelf", "note", "remark"), "shelves.note goes"),
    (changed("note", models.TextField(null=True, db_column="remark")), "shelves.note goes"),
    (changed("name", models.CharField(max_length=19)), "rewritten from varchar(20) to varchar(19)"),
    (changed("rank", models.BigIntegerField(db_default=1)), "rewritten from integer to bigint"),
    (changed("note", models.TextField(default="")), "shelves.note becomes NOT NULL"),
    (changed("rank", models.IntegerField()), "shelves.rank loses its db_default"),
    (changed("rank", models.IntegerField(db_default=1, unique=True)), "shelves.rank becomes unique"),
    (added(models.IntegerField(default=3)), "shelves.more is new, NOT NULL and has no db_default"),
    (migrations.AddConstraint("shelf", SHORT), "shelves gains shelf_low"),
    (AddConstraintNotValid("shelf", SHORT), "shelves gains shelf_low"),
    (migrations.AlterUniqueTogether("shelf", {("name", "rank")}), "shelves becomes unique by name, rank"),
    (migrations.RemoveConstraint("shelf", "shelf_once"), "shelves loses shelf_once"),
    (migrations.AddIndex("shelf", BY_RANK), "shelves gets an index while writes wait"),
    (migrations.RunPython(migrations.RunPython.noop), "Python runs over rows"),
    (migrations.RunSQL("ALTER TABLE shelves DROP note"), "SQL says DROP"),
    (migrations.RunSQL(["SELECT 1", ("alter table shelves rename to racks", [])]), "SQL says rename"),
    (migrations.RunSQL("ALTER TABLE shelves ALTER COLUMN name TYPE text"), "SQL says ALTER COLUMN name TYPE"),
    (migrations.RunSQL("ALTER TABLE shelves ALTER note SET NOT NULL"), "SQL says SET NOT NULL"),
    (migrations.RunSQL("TRUNCATE shelves"), "SQL says TRUNCATE"),
    (migrations.RunSQL("SELECT 1;\n  UPDATE shelves SET rank = 2"), "SQL says UPDATE"),
    (migrations.RunSQL("DO $$ BEGIN DELETE FROM shelves; END $$"), "SQL says BEGIN DELETE FROM"),
    (migrations.RunSQL("CREATE UNIQUE INDEX once ON shelves (rank)"), "SQL says CREATE UNIQUE INDEX"),
    (migrations.SeparateDatabaseAndState([migrations.RemoveField("shelf", "note")]), "shelves.note goes"),
]  # fmt: skip
PASSED = [
    BOX,
    added(models.IntegerField(null=True)),
    added(models.IntegerField(db_default=3)),
    changed("name", models.CharField(max_length=21)),
    changed("name", models.TextField()),
    changed("note", models.TextField(null=True, help_text="More.")),
    AddIndexConcurrently("shelf", BY_RANK),
    migrations.AlterModelOptions("shelf", {"ordering": ["name"]}),
    migrations.RunSQL("CREATE INDEX CONCURRENTLY low ON shelves (rank)"),
    migrations.RunSQL(
        "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN UPDATE shelves SET rank = 2; END $$ LANGUAGE sql"
    ),
    migrations.RunSQL("CREATE TRIGGER t AFTER UPDATE OR DELETE ON shelves EXECUTE FUNCTION f('DROP'); -- DROP"),
    migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Shelf")]),
]


def test_what_the_version_before_would_trip_over_is_refused() -> None:
    def check(case: tuple[Operation, str]) -> None:
        operation, sentence = case
        found = judged(operation)
        assert bool(found) == bool(sentence)
        assert all(sentence in each for each in found[:1])

    check_each(REFUSED, check)


def test_what_only_adds_passes() -> None:
    check_each(PASSED, lambda operation: judged(operation) == [])


def test_a_table_of_the_same_migration_is_its_own() -> None:
    index = models.Index(fields=["name"], name="box_by_name")
    assert judged(BOX, migrations.AddIndex("box", index), migrations.RemoveField("box", "name")) == []
    assert judged(BOX, migrations.RemoveField("shelf", "name"))[0].startswith("shelves.name goes")


def test_a_reason_lets_it_pass_and_a_blank_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for reason, passes in (("Nothing has read it since version 4.", True), (" ", False)):
        module = ModuleType("tests.said")
        setattr(module, REASON, reason)
        monkeypatch.setitem(sys.modules, "tests.said", module)
        operations = {"operations": [migrations.DeleteModel("Shelf")], "__module__": "tests.said"}
        state = ProjectState()
        SHELF.state_forwards(APP, state)
        found = findings(type("Migration", (migrations.Migration,), operations)("0099_try", APP), state)
        assert (found == []) == passes, reason


def test_released_migrations_are_there_and_later_ones_are_judged() -> None:
    """All migrations after the released ones are judged by `make lint`; here those after the latest of other apps."""
    loader = MigrationLoader(None)
    assert RELEASED.keys() <= loader.migrated_apps
    assert all(node in loader.graph.nodes for node in RELEASED.items())
    latest = dict(loader.graph.leaf_nodes())
    later = refusals(loader, latest | {"account": "0008_emailaddress_unique_primary_email_fixup"})
    assert any("account_emailaddress gains unique_primary_email" in line for line in later)
    assert all(line.startswith("account.0009_emailaddress_unique_primary_email: ") for line in later)
    # The released migrations of an app include those that they depend on.
    assert refusals(loader, {app: name for app, name in latest.items() if app != "competition"}) == []


def test_every_migration_can_be_reversed() -> None:
    """`tests/soak/test_reversed_migrations.py` reverses those of one app."""
    migrations_of_all = MigrationLoader(None).disk_migrations.values()
    operations = [(str(each), operation) for each in migrations_of_all for operation in each.operations]
    check_each(operations, lambda pair: pair[1].reversible, at_least=400)
