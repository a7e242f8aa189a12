// Tells the site what failed in this browser: five things of a document at most, each once, with the page's path and
// nothing that was typed. What React or the client has caught comes as a `page:fault` of theirs (src/connection/report-fault.js).
(function () {
  var reports = {};
  var left = 5;

  function report(kind, error, source) {
    var message = String((error && error.message) || error).slice(0, 500);
    if (!left || reports[message] || !navigator.sendBeacon) return;
    reports[message] = true;
    left -= 1;
    var stack = String((error && error.stack) || source || "").slice(0, 1500);
    navigator.sendBeacon("/error-log", JSON.stringify({ kind: kind, message: message, stack: stack, page: location.pathname }));
  }

  window.addEventListener("error", function (event) {
    var source = event.target.src;
    if (event.target.tagName === "SCRIPT") report("script", source);
    else if (event.message && event.filename.indexOf(location.origin) === 0) { // others' scripts are browser extensions
      report("error", event.error || event.message, event.filename + ":" + event.lineno);
    }
  }, true); // scripts that cannot be fetched say so without bubbling
  window.addEventListener("unhandledrejection", function (event) { report("rejection", event.reason); });
  document.addEventListener("page:fault", function (event) { report(event.detail.kind, event.detail.error); });
})();
