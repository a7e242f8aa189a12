// Asks before something goes: one native dialog, filled from the attributes of what was pressed.

let dialog = null;
let agreed = null;
let asker = null;

function create() {
  dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "asked");
  dialog.innerHTML =
    '<form method="dialog"><h2 id="asked"></h2><p></p><div class="row">' +
    '<button class="button button--plain"></button><button class="button" value="yes"></button></div></form>';
  dialog.addEventListener("close", () => {
    if (document.activeElement === document.body) asker.focus(); // where a press does not give the focus
    if (dialog.returnValue === "yes") agreed();
  });
  document.body.append(dialog);
}

/** Call `yes` when the person agrees; Escape and the first button, which has the focus, mean no. */
export function ask(element, cancel, yes) {
  const { confirm, confirmWords = "", confirmYes = element.textContent } = element.dataset;
  if (!dialog?.isConnected) create();
  const texts = [confirm, confirmWords, cancel, confirmYes];
  dialog.querySelectorAll("h2, p, button").forEach((place, index) => { place.textContent = texts[index]; });
  dialog.querySelector("p").hidden = !confirmWords;
  dialog.returnValue = "";
  agreed = yes;
  asker = element;
  dialog.showModal();
}
