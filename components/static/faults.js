// Reports faults of this browser to the site: at most five per document, each once, with the page's path and without any
// input. Errors that React or the client caught arrive as `page:fault` (client/src/events.js).
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
    else if (event.message && event.filename.indexOf(location.origin) === 0) { // scripts of other origins are browser extensions
      report("error", event.error || event.message, event.filename + ":" + event.lineno);
    }
  }, true); // load errors of scripts do not bubble
  window.addEventListener("unhandledrejection", function (event) { report("rejection", event.reason); });
  document.addEventListener("page:fault", function (event) { report(event.detail.kind, event.detail.error); });
})();
