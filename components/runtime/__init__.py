"""What pages, parts and building blocks use of the rendering path: the one package that product code imports.

Import these names from `components.runtime` only; `make imports` refuses an import of a module behind it.
`README.md` in this folder lists every name with an example, and what each module behind it contains.
"""

from components.runtime.commands import command_button, command_form, posted_button, posted_form
from components.runtime.form import Form, FormMessage
from components.runtime.hooks import (
    OPEN_ROWS_MOST,
    toggled,
    use_live_query,
    use_opened_rows,
    use_page_connection,
    use_token,
    use_viewer,
)
from components.runtime.markup import (
    Component,
    Markup,
    Vdom,
    VdomDict,
    cached_markup,
    component,
    event,
    html,
    key,
    use_effect,
    use_ref,
    use_state,
    web_module,
)
from components.runtime.opened_parts import opened_part, part_in_slot
from components.runtime.page import (
    Page,
    PageInvalid,
    PageRequest,
    Params,
    Parts,
    Query,
    Redirect,
    Refresh,
    joined,
    number_of,
)
from components.runtime.rendering.page_slots import SlotQuery, fill_slots, slot_query
from components.runtime.rendering.parts import (
    Ref,
    page_event,
    page_events,
    public_part,
    read_once,
    read_together,
    shared_part,
)
from components.runtime.rendering.slots import Fill, Fills, covered, fill, pressed, slot

__all__ = [
    "OPEN_ROWS_MOST",
    "Component",
    "Fill",
    "Fills",
    "Form",
    "FormMessage",
    "Markup",
    "Page",
    "PageInvalid",
    "PageRequest",
    "Params",
    "Parts",
    "Query",
    "Redirect",
    "Ref",
    "Refresh",
    "SlotQuery",
    "Vdom",
    "VdomDict",
    "cached_markup",
    "command_button",
    "command_form",
    "component",
    "covered",
    "event",
    "fill",
    "fill_slots",
    "html",
    "joined",
    "key",
    "number_of",
    "opened_part",
    "page_event",
    "page_events",
    "part_in_slot",
    "posted_button",
    "posted_form",
    "pressed",
    "public_part",
    "read_once",
    "read_together",
    "shared_part",
    "slot",
    "slot_query",
    "toggled",
    "use_effect",
    "use_live_query",
    "use_opened_rows",
    "use_page_connection",
    "use_ref",
    "use_state",
    "use_token",
    "use_viewer",
    "web_module",
]
