// The remembered lights, set before the first paint, and the two buttons that work without React and without a socket:
// .lights (light or dark) and .menu (the phone's navigation). React never changes the attributes that are set here.
(function () {
  var root = document.documentElement;
  var system = window.matchMedia ? matchMedia("(prefers-color-scheme: dark)") : { matches: false };

  function remembered() {
    try { return localStorage.getItem("lights"); } catch (error) { return null; } // storage may be forbidden
  }
  function set(theme) {
    if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);
    else root.removeAttribute("data-theme");
  }
  function dark() {
    var theme = root.getAttribute("data-theme");
    return theme ? theme === "dark" : system.matches;
  }
  function each(selector, visit) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), visit);
  }
  function show() {
    each(".lights", function (button) { button.setAttribute("aria-pressed", String(dark())); });
  }
  function closeMenus(refocus) {
    each('.menu[aria-expanded="true"]', function (button) {
      button.setAttribute("aria-expanded", "false");
      if (refocus) button.focus();
    });
  }

  set(remembered());
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("page:shown", function () { show(); closeMenus(false); }); // from the client: another page stands here
  if (system.addEventListener) system.addEventListener("change", show);
  window.addEventListener("storage", function (event) {
    if (event.key === "lights" || event.key === null) { set(remembered()); show(); }
  });

  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest(".lights, .menu");
    if (!button) return;
    if (button.classList.contains("menu")) {
      button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
      return;
    }
    set(dark() ? "light" : "dark");
    try { localStorage.setItem("lights", root.getAttribute("data-theme")); } catch (error) { /* for this page only */ }
    show();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") closeMenus(true);
  });
})();
