// Draft expiry on pages of forms, which have no client: old drafts, and those of other accounts, are dropped there too.
// The login page continues when another window signs in, unless one of its fields is edited.

import { SIGNED_IN, begin } from "./drafts.js";
import { pageLoad } from "./reload.js";

const { account = "" } = document.getElementById("app").dataset;
const isEdited = () => [...document.querySelectorAll("input:not([type=hidden])")].some(({ value, defaultValue }) => value !== defaultValue);

begin(account);
addEventListener("storage", ({ key, newValue }) => {
  const isSignIn = key === SIGNED_IN && newValue && !account && location.pathname === "/login";
  if (isSignIn && !isEdited()) pageLoad.to(location.href); // it redirects to `next`
});
