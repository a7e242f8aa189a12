// Passkey forms: request a credential from the browser, put it into the form as JSON and post the form. The forms stay hidden
// in browsers without passkeys or without their JSON methods; another second factor is always available. Where the page has
// an e-mail field for passkeys, the browser offers them there too, until a form is sent.

const Credential = window.PublicKeyCredential;
const isSupported = Credential && Credential.parseCreationOptionsFromJSON && Credential.parseRequestOptionsFromJSON;

/** Fetch the options for one attempt. This is a POST, because the server keeps the challenge in a cookie. */
async function question(form, signal) {
  const { value } = form.elements.csrfmiddlewaretoken;
  const body = new URLSearchParams({ csrfmiddlewaretoken: value, question: "1" });
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, signal });
  if (!answer.ok) throw new Error(`passkeys: ${answer.status}`);
  return (await answer.json()).publicKey;
}

async function credentialFrom(form, ceremony, { signal, mediation } = {}) {
  const publicKey = await question(form, signal);
  return ceremony === "create"
    ? navigator.credentials.create({ publicKey: Credential.parseCreationOptionsFromJSON(publicKey) })
    : navigator.credentials.get({ publicKey: Credential.parseRequestOptionsFromJSON(publicKey), signal, mediation });
}

function post(form, credential) {
  form.elements.credential.value = JSON.stringify(credential);
  form.submit();
}

/** Let the browser offer passkeys in the e-mail field. Return the controller that ends it: a page has one request at a time. */
function offer(form) {
  const controller = new AbortController();
  const ask = async () => {
    if (!document.querySelector("[autocomplete~=webauthn]") || !await Credential.isConditionalMediationAvailable?.()) return;
    post(form, await credentialFrom(form, "get", { signal: controller.signal, mediation: "conditional" }));
  };
  ask().catch(() => {}); // aborted, or the server or the browser refused: the button and the other ways are there
  return controller;
}

function prepare(section) {
  const form = section.querySelector("form");
  const failed = section.querySelector("[data-passkey-failed]");
  const button = form.querySelector("button");
  let offered = offer(form);
  document.addEventListener("submit", () => offered.abort(), true); // the button's request is another one
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failed.hidden = true;
    button.disabled = true;
    try {
      post(form, await credentialFrom(form, section.dataset.passkey));
    } catch {
      failed.hidden = false; // refused, timed out, or no passkey
      button.disabled = false;
      button.focus();
      offered = offer(form);
    }
  });
  section.hidden = false;
}

if (isSupported) document.querySelectorAll("[data-passkey]").forEach(prepare);
