// Taking over: marks that were made signed out (a draft, drafts.js) go to an account only if its member agrees, because the
// browser may be shared. The server asks only about performances of which the account lacks something or has other marks:
// there is no question after a registration that has sent them. Marks leave the storage when the server has answered for them.

import { say } from "./commands.js";
import { NAME, marksIn } from "./kept-marks.js";
import { VISITOR, attempt, dropKey, keysOf } from "./storage.js";

const MARKS = VISITOR + NAME; // begins the keys of these drafts
const LONGEST = 50000; // characters as a form encodes them: the server refuses longer ones, and a form of 65,536 bytes

/** Return the marks as JSON for the server: performance -> field -> [value, milliseconds since it was struck]. */
export function signedOutMarks() {
  const marks = {};
  let text = "{}";
  for (const key of attempt(() => keysOf(MARKS)) || []) {
    const struck = Object.entries(marksIn(key)).map(([field, [value, at]]) => [field, [value, Math.max(0, Date.now() - at)]]);
    marks[key.slice(MARKS.length)] = Object.fromEntries(struck);
    const longer = JSON.stringify(marks);
    if (encodeURIComponent(longer).length > LONGEST) break; // the others follow on the next page
    text = longer;
  }
  return text;
}

const drop = (id) => dropKey(MARKS + id);

/** Returns `look()`, which asks about marks in the storage. `send(command)`; `isClosed()`: signed out. */
export function createTakingOver({ send, isClosed }) {
  let question = null; // the element with the question, at the top of the page and outside of React's tree
  let buttons; // of the question: the words of each, and what it sends as `keep`, empty for one that drops the marks
  let isSending = false;

  function end() {
    const isFocused = question?.contains(document.activeElement);
    question?.remove();
    question = null;
    if (isFocused) document.querySelector("main").focus({ preventScroll: true });
  }

  function show(text, look, ids) {
    const button = (textContent, onclick) => Object.assign(document.createElement("button"), { type: "button", className: "button", textContent, onclick });
    const refuse = () => { ids.forEach(drop); end(); };
    say(question, text, look);
    for (const [words, keep] of buttons) question.append(" ", button(words, keep ? () => deliver({ keep }) : refuse));
  }

  function deliver(answer) {
    const marks = signedOutMarks();
    const ids = Object.keys(JSON.parse(marks));
    if (isSending || isClosed() || !ids.length) return;
    isSending = true;
    if (!question) {
      question = Object.assign(document.createElement("p"), { className: "taken" });
      question.setAttribute("role", "status"); // before it has a text: screen readers announce only later changes
      document.body.prepend(question);
    }
    send({ name: "ratings_take_over", argument: "", fields: { marks, ...answer }, onAnswer({ ok, text, data = {} }) {
      isSending = false;
      const { open = [] } = data;
      if (ok) ids.filter((id) => !open.includes(id)).forEach(drop);
      if (open.length) {
        buttons = data.words.map((words, nth) => [words, (data.keep || ["1"])[nth]]); // the version before sends no `keep`
        show(text, "asks", open);
      } else if (!answer || !text) end();
      else if (ok) say(question, text, "good");
      else show(text, "bad", ids);
    } });
  }

  addEventListener("storage", () => question && signedOutMarks() === "{}" && end()); // another window has answered
  return () => question?.textContent || deliver();
}
