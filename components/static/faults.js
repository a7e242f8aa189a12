// Tells the site what failed in this browser: five things of a document at most, each once, with the page's path and
// nothing that was typed. What React or the client has caught comes as a `page:fault` of theirs (src/connection/report-fault.js).
(function () {
  var told = {};
  var left = 5;

  function tell(kind, error, place) {
    var message = String((error && error.message) || error).slice(0, 500);
    if (!left || told[message] || !navigator.sendBeacon) return;
    told[message] = true;
    left -= 1;
    var stack = String((error && error.stack) || place || "").slice(0, 1500);
    navigator.sendBeacon("/error-log", JSON.stringify({ kind: kind, message: message, stack: stack, page: location.pathname }));
  }

  window.addEventListener("error", function (event) {
    var source = event.target.src;
    if (event.target.tagName === "SCRIPT") tell("script", source);
    else if (event.message && event.filename.indexOf(location.origin) === 0) { // others' scripts are browser extensions
      tell("error", event.error || event.message, event.filename + ":" + event.lineno);
    }
  }, true); // scripts that cannot be fetched say so without bubbling
  window.addEventListener("unhandledrejection", function (event) { tell("rejection", event.reason); });
  document.addEventListener("page:fault", function (event) { tell(event.detail.kind, event.detail.error); });
})();
