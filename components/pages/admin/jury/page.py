"""The page "Jury": load its data and render its sections."""

from dataclasses import dataclass

from apps.competition.selectors.public.stages import StageName, stage_names
from apps.core.texts import texts
from apps.imports.selectors.jury_files import JuryFileShown, JuryPreview, jury_file_get, jury_file_preview
from apps.jury.selectors import JurySheetShown, SheetListed, jury_sheet_admin, sheets_admin
from components.pages.admin.imports.participant_file import large_error
from components.pages.admin.jury.preview import becomes, columns, file_form, reading_form
from components.pages.admin.jury.rule import NAME as RULE
from components.pages.admin.jury.rule import RulesPage, rule_form, rules_in_force, rules_load
from components.pages.admin.jury.sheets import sheet_figures, sheet_list
from components.runtime import Markup, Page, PageRequest, VdomDict, component, html, number_of, use_token
from components.ui.empty_states import empty
from components.ui.frames import answer_line, backstage, section


@dataclass(frozen=True, slots=True)
class JuryPage:
    """The page data: stages, the administrator's file with its preview, sheets, one with its figures, and the rules."""

    stages: tuple[StageName, ...]
    file: JuryFileShown | None
    preview: JuryPreview | None
    sheets: tuple[SheetListed, ...]
    shown: JurySheetShown | None
    error: Markup  # about a file that was too large to be sent
    rules: RulesPage


def load(request: PageRequest) -> Page:
    """Return the page; `?sheet=7` shows the figures of a sheet, `?rule=` the form of a rule (`rules_load`)."""
    user_id = request.viewer.id or 0
    file = jury_file_get(user_id=user_id)
    preview = jury_file_preview(file) if file else None
    sheet_id = number_of(request.query, "sheet", 0)
    return Page(
        description=request.t("The jury’s marks: import, drafts, publication, and the rules of the edition."),
        component=jury_page,
        data=JuryPage(
            stage_names(),
            file,
            preview,
            sheets_admin(),
            jury_sheet_admin(sheet_id=sheet_id) if sheet_id else None,
            large_error(request.query, request.t),
            rules_load(request.query, request.t),
        ),
        topics=("jury.drafts", "jury.rules", "stages", "featured_participants", f"account.{user_id}.jury_file"),
    )


@component
def jury_page(page: Page) -> VdomDict:
    """Render the file, what it becomes, the sheets, one sheet's figures, and the rules; a rule's form has no others."""
    t, token, data, language = texts(page.language), use_token(), page.data, page.language
    stages = [(each.id, each.name) for each in data.stages]
    chosen = data.file.stage_id if data.file else 0
    files = (
        file_form(stages, data.file, chosen, token, t, error=data.error)
        if stages
        else empty(t("There is no stage yet."), ("/admin/stages", t("Stages")))
    )
    figures: tuple[VdomDict, ...] = ()
    if data.shown:
        heading = t("Figures of {name}").format(name=data.shown.stage)
        figures = (section(heading, sheet_figures(data.shown, language), name="figures"),)
    rules = section(t("Rules"), rules_in_force(data.rules, language), name="rules")
    if data.rules.edited:
        edited = section(t("Another rule"), rule_form(data.rules, data.rules.edited, language), name=RULE)
        return backstage(t("Jury"), below=(edited, rules), page=page, trail=[(page.path, t("The jury’s marks"))])
    return backstage(
        t("Jury"),
        below=(
            section(
                t("A file"),
                html.div(
                    {"class": "body stack"},
                    html.div({"class": "importing"}, files, reading_form(data.file, t)),
                    columns(t),
                ),
                aside=html.p(t(".csv, .txt or .xlsx, to 5 MB")),
            ),
            section(
                t("What it becomes"),
                html.div(
                    {"class": "body", "data-answers": ""},
                    answer_line(),
                    becomes(data.preview, data.file, stages, language),
                ),
                aside=html.p(t("Nothing is guessed.")),
                name="rows",
            ),
            section(
                t("Sheets"),
                html.div(
                    {"class": "body", "data-answers": ""},
                    answer_line(),
                    sheet_list(data.sheets, data.rules.stored.current, language),
                ),
                aside=html.p(t("A draft is public only when it is published.")),
                name="sheets",
            ),
            *figures,
            rules,
        ),
        page=page,
    )
