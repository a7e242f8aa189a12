// On pages of forms, which have no client: drafts end there too, such as at the sign-in of another account.

import { begin } from "./draft-store.js";

begin(document.getElementById("app").dataset.account || "");
