// Asks before something goes: one native dialog for all questions.

let dialog = null;
let onAgree = null;
let openedFrom = null;

function create() {
  dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "asked");
  dialog.innerHTML =
    '<form method="dialog"><h2 id="asked"></h2><p></p><div class="row">' +
    '<button class="button button--plain"></button><button class="button" value="yes"></button></div></form>';
  dialog.addEventListener("close", () => {
    if (document.activeElement === document.body) openedFrom?.focus(); // where a press does not give the focus
    if (dialog.returnValue === "yes") onAgree();
  });
  document.body.append(dialog);
}

/** Call `then` when the person agrees; Escape and the first button, which has the focus, mean no. */
export function ask({ question, words = "", no, yes }, element, then) {
  if (!document.body.contains(dialog)) create();
  const texts = [question, words, no, yes];
  dialog.querySelectorAll("h2, p, button").forEach((node, index) => { node.textContent = texts[index]; });
  dialog.querySelector("p").hidden = !words;
  dialog.returnValue = "";
  onAgree = then;
  openedFrom = element;
  try { if (!dialog.open) dialog.showModal(); } catch { // an old browser has a question of its own
    dialog.remove();
    if (confirm(`${question}\n${words}`)) then();
  }
}
