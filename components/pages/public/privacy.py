"""The page "Privacy": stored data with purpose, retention and audience; browser storage; requests to other sites."""

from apps.accounts.data_rights import Kept, registered_kept
from apps.accounts.selectors.site_contact import SiteContactShown, site_contact
from apps.core.texts import Texts, texts
from components.pages.public.operator_words import TOPICS, operator_words
from components.parts.stages.rank_words import PUBLISHED
from components.runtime import Page, PageRequest, VdomDict, cached_markup, component, html
from components.ui.blocks import link
from components.ui.frames import first_section, main, section

ACCOUNT = "Until you delete the account."
YOU = "You, and whoever runs the site."

OF_MEMBERS = (  # accounts, and what members do
    Kept(
        "Your account: e-mail address, username, the address of your picture, your password as a hash that cannot be "
        "read back, when you registered, whether you may administer, whether it is closed, and whether texts about "
        "performances are covered for you.",
        "To let you in, to write to you about your account, and to say whose words and marks these are.",
        "Until you delete the account, and for 30 days if you never confirm its address.",
        "Everybody sees the username and the picture, administrators the rest but the password.",
        {
            "users": "id email username username_grandfathered avatar_url password is_admin is_active created_at "
            "updated_at last_login covers_texts",
            "account_emailaddress": "id user_id email verified primary",
        },
    ),
    Kept(
        "Your Google account's number and what Google says of it, if you sign in with Google.",
        "To know you again.",
        ACCOUNT,
        YOU,
        {
            "socialaccount_socialaccount": "id user_id provider uid last_login date_joined extra_data",
            "socialaccount_socialtoken": "id app_id account_id token token_secret expires_at",
        },
    ),
    Kept(
        "Passkeys, authenticator apps and recovery codes, encrypted where secret, and when they were last used.",
        "To prove that it is you.",
        ACCOUNT,
        "You see that they are there, administrators that there are some; nobody sees what is secret.",
        {"mfa_authenticator": "id user_id type data created_at last_used_at"},
    ),
    Kept(
        "Where you are signed in: browser and system, since when, when last seen.",
        "To keep you signed in, and to let you end it.",
        "For 30 days at most, and a day longer.",
        "You, and whoever runs the site; administrators see when you were last seen.",
        {"auth_sessions": "key handle user_id data created_at seen_at expire_date remembered second_factor agent"},
    ),
    Kept(
        "Mails on their way, links in mails as a digest with the address that they are for, answers to forms, and "
        "which of your acts were done already.",
        "So that nothing is lost with a server and nothing happens twice.",
        "Mails until they are sent, links for two days at most, answers for a day, acts for a week.",
        "Nobody.",
        {
            "mails": "id name recipient language context tries due_at",
            "account_emailconfirmation": "id email_address_id created sent key",
            "one_time_links": "digest purpose user_id expires_at next_path email",
            "form_answers": "id user_id form data created_at",
            "acts": "id user_id key name answer created_at",
        },
    ),
    Kept(
        "Your marks, your words on performances, and whom you would let advance.",
        "They are what this site is for.",
        "Until you delete them or the account.",
        "Everybody, with your name, once an administrator has approved them; recommendations are numbers only. While "
        "your account is closed, nobody, and they count nowhere but in a ranking that was closed before. "
        f"{PUBLISHED} That is why there are only four weights. Sheets of weight 0 are published as hashes. "
        "Who compares the lists with the ranking can tell which marks count, and why others do not; who computes it "
        "with guessed weights can find the weights while it is open, too. Marks of deleted accounts leave the file "
        "within a day; a hash of them stays. The ranking stays as it is, so what is missing can be worked out from "
        "it, and who has kept the lists from before knows whose it was. "
        "The organiser may take all submitted marks and words along as a file, with usernames and without e-mail "
        "addresses, for the archive of the competition; an administrator confirms a sign-in first, and the audit says "
        "who did. A closed account has neither its name nor its words in it, a deleted one nothing. "
        "Such a file is outside of this site, and no longer follows what you change or delete here. "
        "Only you see what you have not submitted. A registration takes along what was marked in its browser before.",
        {
            "piece_ratings": "id user_id session_participant_id piece_id score approved is_author_active created_at "
            "updated_at",
            "performance_ratings": "id user_id session_participant_id score approved comment quick_rating "
            "is_comment_hidden is_author_active created_at updated_at",
            "rating_submissions": "id user_id session_participant_id waiting_pieces waiting_points approved_pieces "
            "approved_points given_at shown_at waiting_at",
            "rating_drafts": "id user_id session_participant_id score score_at comment comment_at quick_rating "
            "quick_at is_rejected shown_at texts_shown_at was_submitted rejected_at",
            "draft_marks": "id draft_id piece_id score struck_at is_rejected blind",
            "covering_choices": "user_id ears_first",
            "uncovered_stages": "id user_id stage_id shown_at",
            "advance_recommendations": "id user_id session_participant_id recommendation is_author_active created_at "
            "updated_at",
        },
    ),
    Kept(
        "Your comments on sessions, with the performer on stage, and your reactions with their time.",
        "To show them, and to draw how the audience reacted along a performance, by seconds and without persons.",
        "Until you delete them or the account.",
        "Everybody reads comments with your name; reactions are numbers only.",
        {
            "session_comments": "id session_id user_id session_participant_id content created_at is_hidden",
            "session_reactions": "id session_id user_id type timestamp key number",
        },
    ),
    Kept(
        "Your posts, with the performance that you chose (or that it is gone), comments on posts, applause and boos.",
        "To show them.",
        "Until you delete them; when the account goes, posts and comments stay without your name.",
        "Everybody reads posts and comments with your name; applause and boos are numbers only.",
        {
            "posts": "id user_id session_participant_id is_subject_deleted content image_url created_at is_hidden",
            "post_comments": "id post_id user_id content created_at is_hidden",
            "post_reactions": "id user_id post_id type",
        },
    ),
)
OF_THE_SITE = (  # reports, limits, errors, administration, and the competition
    Kept(
        "What you reported, why, and in which words.",
        "So that administrators can decide about it.",
        ACCOUNT,
        "Administrators, without your name; the author of what is hidden sees the reason.",
        {"reports": "id case_id user_id reason words created_at"},
    ),
    Kept(
        "How often you tried to sign in, registered or wrote lately: by account, and by network address as a hash.",
        "To keep others from guessing passwords and from flooding everybody.",
        "Until the limit is over: a day at most.",
        "Nobody; administrators see whether you are locked out now.",
        {"rate_limits": "subject name back_at allowed", "counters": "key value expires_at"},
    ),
    Kept(
        "Errors that you met: message, the page's path, browser, your account's number.",
        "To mend them.",
        "For 90 days.",
        "Whoever runs the site.",
        {"error_logs": "id message error_details user_id page_url user_agent severity times created_at"},
    ),
    Kept(
        "What administrators did: changes, decisions about ratings and reports, whom they let weigh fully in "
        "a ranking or left out and why, imports, the jury’s files until they are saved, exports of ratings, texts that "
        "they pasted, news; and whether they decide pieces and whole performances together.",
        "So that it can be taken back, and everybody who runs the site knows who changed what.",
        "Whose it was for 90 days; decisions for the ten minutes in which they can be taken back, files for 30 days; "
        "what they decide together until the account is gone; "
        "who weighs fully or is left out until that is taken back or the account is gone; "
        "news, who advances from a stage, and prizes, stay without the name once the account is gone.",
        "Administrators; everybody sees who wrote the news.",
        {
            "audit_entries": "id user_id action subject subject_id details created_at",
            "rating_decisions": "id user_id approved submissions created_at",
            "deciding_choices": "user_id whole_too pieces_too",
            "decided_ratings": "id decision_id user_id kind rating_id changed_at row",
            "ranking_decisions": "id user_id stage_id is_left_out decided_by_id reason created_at",
            "report_decisions": "id user_id is_hidden count created_at",
            "report_cases": "id kind subject_id state is_hidden_by_audience shown_again_at updated_at decided_at "
            "decided_by_id",
            "decided_report_cases": "id decision_id case_id state is_hidden_by_audience updated_at decided_at "
            "decided_by_id",
            "default_avatar_urls": "id user_avatar_url participant_avatar_url updated_by_id created_at",
            "program_texts": "id user_id text assigned_to_id read_for_id updated_at",
            "program_batches": "id user_id text updated_at",
            "jury_files": "id user_id stage_id file_name text workbook sheet other_sheets content encoding "
            "encoding_found is_encoding_sure is_decimal_comma choices updated_at",
            "participant_imports": "id user_id file_name content size encoding encoding_found is_encoding_sure "
            "kind delimiter delimiter_found is_people_only sheet sheets other_sheets hidden_rows unused_columns "
            "refusal categories state created_at saved_at new_rows existing_rows undecided_rows bad_rows short_rows "
            "saved_rows saved_hidden_rows new_participants existing_participants new_pieces existing_pieces pianos "
            "filled_participants changes changes_taken header",
            "program_undos": "id session_id kind content created_at",
            "participant_import_creations": "id participant_import_id kind created_id version values",
            "import_header_choices": "id kind digest columns",
            "participant_import_rows": "id participant_import_id position line first_name last_name country pieces "
            "candidates start_number birth_year biography name_local piano avatar_url participant_id before taken "
            "status is_known problem detail is_saved is_hidden",
            "stage_advancements": "id stage_id participant_id at by_id",
            "prize_lists": "id stage_id state published_at by_id",
            "blog_posts": "id title excerpt content image_url is_published published_at publish_at author_id "
            "created_at",
        },
    ),
    Kept(
        "Who runs this site: name and e-mail address; former ones in the list of what administrators changed.",
        "So that you know whom to ask.",
        "As long as the site runs.",
        "Everybody.",
        {"site_contacts": "id name email updated_at"},
    ),
    Kept(
        "The pianists: name, also in another script, country, start number, birth year, biography, the address of a "
        "picture, what and when they play, on which piano, and their prizes.",
        "The competition has published it, and the audience wants to know whom it hears.",
        "As long as the competition is of interest; who is meant may ask for corrections.",
        "Everybody.",
        {
            "participants": "id first_name second_name name name_folded sort_folded name_local country start_number "
            "birth_year biography avatar_url featured created_at",
            "performances": "id participant_id stage performance_date program",
            "session_participants": "id session_id stage_id participant_id order_number is_performing is_repeated "
            "planned_start piano_id created_at",
            "session_participant_pieces": "id session_participant_id piece_id order_number slot timestamp youtube_url",
            "session_participant_piece_parts": "id entry_id part_id timestamp youtube_url",
            "performing_times": "id session_participant_id began_at ended_at",
            "prizes": "id list_id order_number name kind award",
            "prize_recipients": "id prize_id list_id participant_id kind award",
            # copies, also of the texts of posts, but not of their authors' names
            "search_entries": "id kind object_id is_public weight title detail text folded words changed_at",
        },
    ),
)


BROWSER = (
    (
        "Cookies: one keeps you signed in, one is against forged forms, one knows this browser again after a sign-in "
        "so that others' guesses do not lock you out, and for a day at most what a registration, a mailed code or a "
        "message needs. None follows you, and none is anybody else's."
    ),
    (
        "In the browser's own storage: light or dark, theater mode, the number of the account that is signed in, what "
        "you typed and marked until it is sent. It waits for 24 hours when your session ends by itself and goes at "
        "once when you sign out; what you typed before signing in waits for two days, the "
        "last reaction that you pressed before it for 15 minutes. Marks among it become your account's when you "
        "register, or when you say so after signing in."
    ),
)
ELSEWHERE = (
    (
        "Videos are YouTube's: your browser asks YouTube for the player when one is shown, without its cookies, "
        "and YouTube then knows your network address."
    ),
    (
        "Pictures that people name by an address come from there; that server learns your network address, but not on "
        "which page you are."
    ),
    (
        "Notifications in a browser, if you turn them on, reach it through the push service of its maker, encrypted so "
        "that only this browser can read them."
    ),
    "Signing in with Google leads to Google and back. Nothing else comes from anywhere, and nobody counts visitors.",
)
NETWORK = (
    "The server that passes pages on writes down each request with its network address, path and time, as whoever runs "
    "it keeps them; 30 days are advised. Backups hold everything for 35 days."
)


def kept() -> tuple[Kept, ...]:
    """Return all rows of the page, with those that apps registered behind the members'."""
    return (*OF_MEMBERS, *registered_kept(), *OF_THE_SITE)


def load(request: PageRequest) -> Page:
    """Return the page; a test compares the `columns` of `kept` with the database tables."""
    words = request.t("What this site keeps about you, why, for how long, who sees it, and how to take it along.")
    return Page(description=words, component=privacy_page, data=site_contact(), topics=TOPICS)


@component
def privacy_page(page: Page) -> VdomDict:
    """Render each kind of data, then browser storage, other sites, the viewer's rights, and the operator."""
    return _privacy(page.title, page.description, page.data, page.language)


@cached_markup
def _privacy(title: str, lead: str, contact: SiteContactShown, language: str) -> VdomDict:
    t = texts(language)
    rights = html.div(
        {"class": "body prose"},
        html.p(
            t(
                "Your profile has all that is stored about you as a file, up to three times a day, and deletes the "
                "account at once, with your marks, comments and reactions; backups forget it after 35 days."
            )
        ),
        html.p(link("/profile", t("Your profile"))),
        html.p(t("Whoever runs the site corrects what is wrong about you, and answers what this page leaves open.")),
    )
    return main(
        first_section(title, html.p({"class": "lead"}, lead)),
        section(t("What is kept"), html.dl({"class": "body kept"}, *(_kept(each, t) for each in kept()))),
        section(t("In your browser"), _paragraphs(BROWSER, t)),
        section(t("From elsewhere"), _paragraphs((*ELSEWHERE, NETWORK), t)),
        section(t("Your rights"), rights),
        section(t("Who runs this site"), html.div({"class": "body prose"}, *operator_words(contact, language))),
    )


def _kept(each: Kept, t: Texts) -> VdomDict:
    rows = ((t("Why"), each.why), (t("For how long"), each.until), (t("Who sees it"), each.seen_by))
    return html.div(
        html.dt(t(each.what)),
        *(html.dd(html.span({"class": "muted small"}, label), " ", t(words)) for label, words in rows),
    )


def _paragraphs(words: tuple[str, ...], t: Texts) -> VdomDict:
    return html.div({"class": "body prose"}, *(html.p(t(each)) for each in words))
