// Color scheme and theater mode, restored before the first paint, and the buttons that need neither React nor a socket:
// .lights (light or dark), .theater (wide videos, a dark page) and .menu (the phone's navigation). A picture that fails to
// load is marked, so that its placeholder shows. A posted form gets a busy button and is posted once
// (components/ui/posted_forms.py, and forms of commands before the client runs). React never changes these attributes.
(function () {
  var WAIT = 10000; // milliseconds
  var root = document.documentElement;
  var system = { matches: false };
  try { system = matchMedia("(prefers-color-scheme: dark)"); } catch (error) { /* an old browser: light */ }

  function recallValue(name) {
    try { return localStorage.getItem(name); } catch (error) { return null; } // storage is refused
  }
  function remember(name, value) {
    try { localStorage.setItem(name, value); } catch (error) { /* kept for this page only */ }
  }
  function setTheme(theme) {
    if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);
    else root.removeAttribute("data-theme");
  }
  function applyStored() {
    setTheme(recallValue("lights"));
    root.toggleAttribute("data-theater", recallValue("theater") === "on");
  }
  function isDark() {
    var theme = root.getAttribute("data-theme");
    return theme ? theme === "dark" : system.matches;
  }
  function forEachElement(selector, visit) {
    document.querySelectorAll(selector).forEach(visit);
  }
  function show() {
    forEachElement(".lights", function (button) { button.setAttribute("aria-pressed", isDark()); });
    forEachElement(".theater", function (button) { button.setAttribute("aria-pressed", root.hasAttribute("data-theater")); });
  }
  function closeMenus(refocus) {
    var anyOpen = false;
    forEachElement('.menu[aria-expanded="true"]', function (button) {
      anyOpen = true;
      button.setAttribute("aria-expanded", "false");
      if (refocus) button.focus();
    });
    return anyOpen;
  }

  function onPicture(event) {
    if (event.target.tagName !== "IMG") return;
    event.target.toggleAttribute("data-missing", event.type === "error");
  }

  function onSubmit(event) {
    var form = event.target;
    if (event.defaultPrevented || !form.hasAttribute("data-once")) return;
    if (form.hasAttribute("data-pending")) {
      event.preventDefault();
      return;
    }
    var button = event.submitter || form.querySelector("[type=submit]");
    var labelNode = document.querySelector("[data-reactpy-root]") ? {} : button.firstChild; // text nodes of React stay unchanged
    var label = labelNode.data;
    form.setAttribute("data-pending", "");
    button.setAttribute("aria-busy", "true");
    labelNode.data = button.getAttribute("data-busy") || document.getElementById("app").getAttribute("data-processing");
    setTimeout(function () { // no answer, or the user returned by the history
      form.removeAttribute("data-pending");
      button.removeAttribute("aria-busy");
      labelNode.data = label;
    }, WAIT);
  }

  applyStored();
  window.addEventListener("submit", onSubmit); // after the client's listener, which handles commands
  document.addEventListener("error", onPicture, true); // the event does not bubble
  document.addEventListener("load", onPicture, true);
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("page:shown", function () { show(); closeMenus(false); }); // from the client, for forEachElement page
  if (system.addEventListener) system.addEventListener("change", show);
  window.addEventListener("storage", function (event) {
    if (/^(lights|theater|null)$/.test(event.key)) { applyStored(); show(); }
  });

  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest(".lights, .menu, .theater");
    if (!button) return;
    if (button.classList.contains("menu")) {
      button.setAttribute("aria-expanded", button.getAttribute("aria-expanded") !== "true");
      return;
    }
    if (button.classList.contains("theater")) {
      remember("theater", root.toggleAttribute("data-theater") ? "on" : "");
    } else {
      setTheme(isDark() ? "light" : "dark");
      remember("lights", root.getAttribute("data-theme"));
    }
    show();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "Escape" || closeMenus(true)) return;
    if (!root.hasAttribute("data-theater") || document.querySelector("dialog[open]")) return;
    root.removeAttribute("data-theater");
    remember("theater", "");
    show();
  });
})();
