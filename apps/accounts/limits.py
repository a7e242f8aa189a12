"""Limits of sign-in, sign-up and mails.

A client is a network address. Its limits carry an audience of a thousand that registers and signs in behind one address
within an hour (docs/security.md, Limits). Clients in VENUE_ADDRESSES have ten times the amount of other clients. Limits
of an e-mail address or an account, which stop the guessing of passwords and unwanted mails, are the same for all
clients.
"""

import os

from apps.core.limits import DAY, HOUR, MINUTE, RateLimit

CROWD = 1_500  # of one client: a thousand people, half of whom do the same twice

# Failed sign-ins. A limit on the address alone would allow attackers to lock out its owner.
SIGN_IN_HERE = RateLimit("sign-in-here", 5, 5 * MINUTE)  # to one address, from one client
SIGN_IN_STRANGE = RateLimit("sign-in-strange", 30, HOUR)  # to one address, from all browsers that never signed in to it
SIGN_IN_KNOWN = RateLimit("sign-in-known", 5, 5 * MINUTE)  # to one address, from a browser that signed in to it before
SIGN_IN_CLIENT = (RateLimit("sign-in-client-minute", 100, MINUTE), RateLimit("sign-in-client-hour", 600, HOUR))

# Sign-ups, and mails that anonymous visitors can request for any address.
SIGN_UP_CLIENT = RateLimit("sign-up-client", CROWD, HOUR)
REGISTRATION_MAILS = RateLimit("registration-mails", 3, HOUR)  # to one address, by registrations and their page
RESET_ADDRESS = (RateLimit("reset-address-hour", 2, HOUR), RateLimit("reset-address-day", 5, DAY))
RESET_CLIENT = RateLimit("reset-client", 300, HOUR)
SIGN_IN_LINK_ADDRESS = (RateLimit("sign-in-link-address-hour", 2, HOUR), RateLimit("sign-in-link-address-day", 5, DAY))
SIGN_IN_LINK_CLIENT = RateLimit("sign-in-link-client", CROWD, HOUR)
CODE_AGE = 10 * MINUTE  # seconds that the code in the mail of a sign-in link works
CODE_DIGITS = 8
SIGN_IN_CODE = RateLimit(  # codes that are tried in one browser that requested one
    "sign-in-code", 5, CODE_AGE, refusal="Five codes were tried here. Please ask for a new one."
)
GOOGLE_CLIENT = RateLimit("google-client", CROWD, HOUR)  # sign-ins that are started
VERIFY_CLIENT = RateLimit("verify-client", CROWD, HOUR)  # further mails of a registration

# Of an account.
PROFILE = RateLimit("profile", 30, HOUR)  # each change reloads every part that shows the name
CONFIRMATION = RateLimit("confirmation", 5, 5 * MINUTE)  # by the account's password
FIRST_FACTOR_MAILS = RateLimit("first-factor", 3, HOUR)
EXPORTS = RateLimit(
    "export", 3, DAY, refusal="You can download your data three times a day. Please try again tomorrow."
)

# Limits that allauth counts (ACCOUNT_RATE_LIMITS): "key" is an address or an account, hashed.
ALLAUTH = {
    "login": None,
    "signup": None,
    "reset_password": None,
    "login_failed": "5/5m/key",  # second factors
    "confirm_email": "1/3m/key,5/d/key",
    "reauthenticate": "10/m/user",
    "reset_password_from_key": "300/m/ip",
}

# One for each page with the sign-in, which offers passkeys in its field, and two for each sign-in. A passkey cannot be
# guessed; the limit bounds the session rows that one address can make.
ALLAUTH_MFA = {"webauthn_login": "600/m/ip"}

NEW_FOR = 7 * DAY  # seconds that administrators see an account as new

KNOWN_FOR = 365 * DAY  # seconds that a browser stays known
KNOWN_ACCOUNTS = 5  # addresses that one browser is known for

HASHING_AT_ONCE = os.cpu_count() or 1  # passwords that one process hashes concurrently
HASHING_WAIT = 5.0  # seconds to wait for a hashing slot, after which Busy is raised

USERNAME_SHORTEST = 3  # characters, like all lengths below
USERNAME_LONGEST = 20
PASSWORD_SHORTEST = 6
CHALLENGE_AGE = 86_400  # seconds in which a passkey may answer: the sign-in page may stay open
PASSKEY_NAME_LENGTH = 60
WORD_SHORTEST = 4  # letters of a name, an address or a site's word that a password must not contain

# Who runs the site: name with postal address, and e-mail address.
CONTACT_NAME_LENGTH = 200  # characters
CONTACT_EMAIL_LENGTH = 254
CONTACT_TEXTS = {"name": CONTACT_NAME_LENGTH, "email": CONTACT_EMAIL_LENGTH}
