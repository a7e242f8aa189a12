"""The address of every page, with its tabs and forms, for rows of the test data, and the roles that may open it."""

from types import SimpleNamespace

from components.routes import Access, table

ROLES = ("anonymous", "fan", "administrator")
# Tabs and forms that a route's pattern does not name. `{}` are ids of the data in `people`.
MODES = {
    Access.PUBLIC: (
        *("/participants/{participant}?tab=biography", "/participants/{participant}?tab=ratings"),
        *("/sessions?show=past", "/sessions?show=all", "/sessions/{session}?open=all", "/community?post={post}"),
        *("/schedule?day=all", "/stages/{closed_stage}"),
        *("/search?q=e", "/search?q=e&kind=post"),
        *("/pieces/{piece}?sort=mark", "/pieces/{piece}?sort=name&watch={appearance}"),
    ),
    Access.SIGNED_IN: ("/profile?tab=ratings",),
    Access.ADMIN: (
        *(f"/admin?tab={tab}" for tab in ("reports", "performances", "live", "avatars", "audit")),
        "/admin?tab=unusual&stage={stage}",
        *("/admin?tab=reports&show=hidden", "/admin?show=all", "/admin/records?q=e&export=session&of={session}"),
        *("/admin/blog?mode=create", "/admin/blog?mode=edit&id={article}"),
        *("/admin/participants?mode=create", "/admin/participants?mode=edit&id={participant}"),
        *("/admin/stages?mode=create", "/admin/stages?mode=edit&id={stage}", "/admin/stages?mode=advance&id={stage}"),
        "/admin/stages?mode=prizes&id={stage}",
        *("/admin/sessions?mode=create", "/admin/sessions?mode=edit&id={session}"),
        "/admin/sessions?mode=series",
        *(f"/admin/programs?appearance={{appearance}}&slot={slot}" for slot in ("etiuda_a", "order")),
        *("/admin/program-import?session=1", "/admin/program-import?session=all", "/admin/jury?sheet=1"),
        "/admin/jury?rule=votes",
        *("/admin/programs?appearance={appearance}&slot=order&link={entry}", "/admin/pieces?mode=edit&id={piece}"),
    ),
}


def may(role: str, access: Access) -> bool:
    """Return whether this role may open a page with this access."""
    return access is Access.PUBLIC or role == "administrator" or (role == "fan" and access is Access.SIGNED_IN)


def addresses(people: SimpleNamespace, *, plain: bool = False) -> dict[str, Access]:
    """Return the addresses of every page, for existing rows, with the access that each requires."""
    numbers = {
        "/participants/{id}": people.appearances[0].participant_id,
        "/sessions/{id}": people.session.pk,
        "/news/{id}": people.article.pk,
        "/stages/{id}": people.session.stage_id,
        "/pieces/{id}": people.piece,
        "/pieces/{id}/compare": people.piece,
    }
    unknown = [route.pattern for route in table() if "{" in route.pattern and route.pattern not in numbers]
    assert not unknown, f"no id is known for {unknown}"
    queries = {"/community/report": f"?thing=post%3A{people.post.pk}"}
    of_routes = {
        route.pattern.replace("{id}", str(numbers.get(route.pattern))) + queries.get(route.pattern, ""): route.access
        for route in table()
        if route.plain is plain and not route.redirects  # tests/components/pages/test_stages.py
    }
    named = {"participant": people.appearances[0].participant_id, "session": people.session.pk}
    named |= {"article": people.article.pk, "post": people.post.pk, "appearance": people.appearances[0].pk}
    named |= {"entry": people.entry, "piece": people.piece, "stage": people.session.stage_id}
    named |= {"closed_stage": people.closed_stage}
    modes = {mode.format(**named): access for access, modes in MODES.items() for mode in modes}
    return of_routes if plain else of_routes | modes
