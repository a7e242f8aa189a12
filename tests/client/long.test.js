// Texts that are too long for a frame: posted once before their command, and again while the server is unavailable.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, act, consoleErrors, Socket, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { answer, takeSent, form, openPage, reconnect, submit } from "./notes.js";

const LONG = "é".repeat(40_000);
const answerText = () => $("[data-answer]").textContent;

/** Open a form of long texts; the server answers posts with `answers` in order. Returns the posts. */
async function posting(context, ...answers) {
  const posts = [];
  context.mock.method(globalThis, "fetch", async (address, { method, headers, body }) => {
    posts.push({ address, method, token: headers["X-CSRFToken"], fields: JSON.parse(body) });
    const [status, text, type = "text/html"] = answers.shift();
    if (!status) throw new TypeError("Failed to fetch");
    return new Response(text, { status, headers: { "Content-Type": type } });
  });
  await openPage([form({ "data-long-text-token": "token" })]);
  await type($("[name=text]"), LONG);
  await submit();
  return posts;
}

test("a long text is posted ahead, and the command names it", async (context) => {
  const posts = await posting(context, [200, "stored-7"]);
  assert.deepEqual(posts, [{ address: "/long-text", method: "POST", token: "token", fields: { text: LONG } }]);
  const [[target, { argument, fields, key }], ...others] = takeSent();
  assert.deepEqual([target, argument, fields, others], ["note_add", "7", { long_text: "stored-7" }, []]);
  assert.equal($("form button").disabled, true);
  await answer(key);
  assert.deepEqual([answerText(), $("[name=text]").value, $("form button").disabled], ["Kept", "", false]);
  assert.deepEqual(consoleErrors, []);
});

test("a short one of the same form goes as ever", async (context) => {
  const posts = await posting(context, [200, "stored-7"]);
  await answer(takeSent()[0][1].key);
  await type($("[name=text]"), "Bravo");
  await submit();
  assert.deepEqual(takeSent().map(([, { fields }]) => fields), [{ text: "Bravo" }]);
  assert.equal(posts.length, 1);
});

test("without a connection it is posted again, with the next socket or after a delay, until the command can refer to it", async (context) => {
  const pass = stopClock(context);
  const posts = await posting(context, [0], [503, ""], [200, "stored-9"]);
  await Socket.last.ends();
  await pass(1500);
  await reconnect(form({ "data-long-text-token": "token" }));
  assert.deepEqual([posts.length, takeSent(), $("form button").disabled], [2, [], true]);
  await pass(15_000);
  const [[, { fields, key }], ...others] = takeSent();
  assert.deepEqual([posts.length, fields, others], [3, { long_text: "stored-9" }, []]);
  await pass(15_000);
  assert.deepEqual([posts.length, takeSent().map(([, one]) => [one.key, one.fields])], [3, [[key, { long_text: "stored-9" }]]]);
});

for (const [status, sentence, said, kind] of [[413, "Too long."], [403, "It failed."], [400, "Not that.", "Not that.", "text/plain; charset=utf-8"]]) {
  test(`what is refused with ${status} stays typed, and says why`, async (context) => {
    const posts = await posting(context, [status, said || "<html>", kind], [200, "stored-7"]);
    await act(async () => {});
    assert.deepEqual([takeSent(), answerText(), $("[name=text]").value.length, $("form button").disabled], [[], sentence, LONG.length, false]);
    await submit();
    assert.deepEqual([posts.length, takeSent()[0][1].fields], [2, { long_text: "stored-7" }]);
  });
}
