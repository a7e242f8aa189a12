"""The profile's section "Notifications": of what, by e-mail when, quiet hours, and the time zone."""

from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.notifications.enums import Kind, MailChoice
from apps.notifications.selectors.preferences import DEFAULTS, OwnPreferences, Preferences
from apps.notifications.zones import zone_names, zone_regions
from components.runtime import VdomDict, cached_markup, command_form, html, web_module
from components.ui import forms
from components.ui.blocks import link
from components.ui.frames import answer_line, section, version_field

NO_PREFERENCES = OwnPreferences(DEFAULTS, is_chosen=False, has_address=False)
BROWSER_ZONE = web_module("modules/browser-zone.js", "BrowserZone")
HOURS = 24


def notification_choices(own: OwnPreferences, language: str) -> VdomDict:
    """Return the section with its form, which is another one for each stored version.

    No change of another window replaces what is typed: it is merged when the form is sent.
    """
    t, chosen = texts(language), own.preferences
    form = command_form("notifications_choose", draft="notifications") | {"class": "stack notify", "noValidate": True}
    whose = (t("You are notified of the"), " ", link("/following", t("performers that you follow")), ".")
    where = t(
        "Any page of this site that you have open shows a line. Choose e-mail here; switch on push in each browser"
    )
    push = (where, ", ", link("/following#notifications", t("below that list")), ".")
    return section(
        t("Notifications"),
        html.div(
            {"class": "body stack profile__body", "data-answers": ""},
            html.p(*whose, " ", *push),
            html.form(
                {**form, "key": f"notifications-{chosen.version}"},
                _kinds(chosen, t),
                _ways(own, t),
                _quiet(chosen, t),
                _zone(chosen.time_zone, t),
                None if own.is_chosen else BROWSER_ZONE({}),
                version_field(chosen.version, language, "notifications-version"),
                html.div(
                    {"class": "row"},
                    html.button(
                        {"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Save notifications")
                    ),
                ),
            ),
            answer_line(),
        ),
        name="notifications",
    )


def _kinds(chosen: Preferences, t: Texts) -> VdomDict:
    words = {
        Kind.SOON: (
            t("Soon on stage"),
            t("Two performers before, or 15 minutes before a planned time while the session is live."),
        ),
        Kind.NOW: (t("On stage now"), t("When the performer comes on stage.")),
        Kind.MOVED: (t("Moved or withdrawn"), t("Another session, day or time, or no longer playing.")),
        Kind.ADVANCED: (
            t("Advances to the next stage"),
            t("When it is published who advances. The notification contains the result."),
        ),
        Kind.PRIZES: (
            t("Receives a prize"),
            t("When the prizes are published. The lock screen shows the performer’s name only."),
        ),
    }
    boxes = (
        forms.check(label, kind.value, hint=hint, defaultChecked=kind in chosen.kinds, id=f"notify-{kind.value}")
        for kind, (label, hint) in words.items()
    )
    return html.fieldset({"class": "stack"}, html.legend({"class": "label"}, t("Notify me of these")), *boxes)


def _ways(own: OwnPreferences, t: Texts) -> VdomDict:
    """Return the choice of mails; the style sheet hides the hour unless it counts."""
    unconfirmed = html.p({"class": "small"}, t("E-mails begin when your address is confirmed: it is not yet."))
    names = {MailChoice.NEVER: t("Never"), MailChoice.AT_ONCE: t("At once"), MailChoice.DAILY: t("Once a day")}
    chosen = own.preferences
    radios = (_radio(value.value, label, is_chosen=value == chosen.mail) for value, label in names.items())
    hours = [(str(hour), f"{hour:02}:00") for hour in range(HOURS)]
    return html.fieldset(
        {"class": "stack"},
        html.legend({"class": "label"}, t("By e-mail")),
        html.div({"class": "choice"}, *radios),
        None if own.has_address else unconfirmed,
        html.p(
            {"class": "small muted"},
            t("The daily e-mail has moves and results only: who is on stage has changed by then."),
        ),
        forms.select(t("Hour, once a day"), "mail_hour", hours, str(chosen.mail_hour)),
    )


def _radio(value: str, words: str, *, is_chosen: bool) -> VdomDict:
    name = f"notify-mail-{value}"
    own = {"type": "radio", "id": name, "name": "mail", "value": value, "defaultChecked": is_chosen}
    return html.label({"htmlFor": name, "key": value}, html.input(own), words)


def _quiet(chosen: Preferences, t: Texts) -> VdomDict:
    begin, end = (f"{each:%H:%M}" if each else "" for each in (chosen.quiet_from, chosen.quiet_until))
    hint = t(
        "Push notifications and immediate e-mails wait until the quiet hours end. Leave both fields empty for none."
    )
    return html.fieldset(
        {"class": "stack"},
        html.legend({"class": "label"}, t("Quiet hours (optional)")),
        html.div(
            {"class": "form-page__pair"},
            forms.field(t("From"), "quiet_from", value=begin, type="time"),
            forms.field(t("Until"), "quiet_until", value=end, type="time"),
        ),
        html.p({"class": "small muted"}, hint),
    )


def _zone(chosen: str, t: Texts) -> VdomDict:
    venue = t("As in the hall ({zone})").format(zone=venue_zone().key)
    regions = zone_regions()
    own = {"id": "time_zone", "name": "time_zone", "defaultValue": chosen, "aria-describedby": "time_zone-hint"}
    hint = t("For the hours above and the times in notifications.")
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": "time_zone"}, t("Time zone")),
        html.select(
            own,
            html.option({"value": "", "key": "venue"}, venue),
            *(_region(region) for region in regions),
            html.option({"value": zone_names()[-1], "key": "utc"}, zone_names()[-1]),
        ),
        html.p({"class": "field__hint", "id": "time_zone-hint"}, hint),
    )


@cached_markup
def _region(region: str) -> VdomDict:
    """Return the options of one region's zones, by the names of their places."""
    names = zone_regions()[region]
    places = ((name, name.partition("/")[2].replace("_", " ")) for name in names)
    options = (html.option({"value": name, "key": name}, place) for name, place in places)
    return html.optgroup({"label": region, "key": region}, *options)
