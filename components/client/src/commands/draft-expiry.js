// On pages of forms, which have no client: drafts end there too, such as at the sign-in of another account. The page that
// asks to sign in goes on once another window has, unless something is typed into it.

import { pageLoad } from "../page/page-loads.js";
import { SIGNED_IN, begin } from "./draft-store.js";

const { account = "" } = document.getElementById("app").dataset;
const isTyped = () => [...document.querySelectorAll("input:not([type=hidden])")].some(({ value, defaultValue }) => value !== defaultValue);

begin(account);
addEventListener("storage", ({ key, newValue }) => {
  const isSignIn = key === SIGNED_IN && newValue && !account && location.pathname === "/login";
  if (isSignIn && !isTyped()) pageLoad.to(location.href); // it leads on to `next`
});
