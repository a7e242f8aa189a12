// Draft expiry on pages of forms, which have no client: old drafts, and those of other accounts, are dropped there too.
// The login page continues when another window signs in, unless one of its fields is edited. A registration takes along the
// marks that were made signed out.

import { SIGNED_IN, begin } from "./drafts.js";
import { pageLoad } from "./reload.js";
import { signedOutMarks } from "./taking-over.js";

const { account = "" } = document.getElementById("app").dataset;
const isEdited = () => [...document.querySelectorAll("input:not([type=hidden])")].some(({ value, defaultValue }) => value !== defaultValue);

begin(account);
addEventListener("storage", ({ key, newValue }) => {
  const isSignIn = key === SIGNED_IN && newValue && !account && location.pathname === "/login";
  if (isSignIn && !isEdited()) pageLoad.to(location.href); // it redirects to `next`
});
for (const field of document.querySelectorAll("[data-signed-out-marks]")) {
  field.form.addEventListener("submit", () => { field.value = signedOutMarks(); });
}
