// Passkey forms: request a credential from the browser, put it into the form as JSON and post the form. The forms stay hidden
// in browsers without passkeys or without their JSON methods; another second factor is always available.

const Credential = window.PublicKeyCredential;
const isSupported = Credential && Credential.parseCreationOptionsFromJSON && Credential.parseRequestOptionsFromJSON;

/** Fetch the options for one attempt. This is a POST, because the server stores the challenge in the session. */
async function question(form) {
  const { value } = form.elements.csrfmiddlewaretoken;
  const body = new URLSearchParams({ csrfmiddlewaretoken: value, question: "1" });
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`passkeys: ${answer.status}`);
  return (await answer.json()).publicKey;
}

async function credentialFrom(form, ceremony) {
  const publicKey = await question(form);
  return ceremony === "create"
    ? navigator.credentials.create({ publicKey: Credential.parseCreationOptionsFromJSON(publicKey) })
    : navigator.credentials.get({ publicKey: Credential.parseRequestOptionsFromJSON(publicKey) });
}

function prepare(section) {
  const form = section.querySelector("form");
  const failed = section.querySelector("[data-passkey-failed]");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failed.hidden = true;
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify(await credentialFrom(form, section.dataset.passkey));
      form.submit();
    } catch {
      failed.hidden = false; // refused, timed out, or no passkey
      button.disabled = false;
      button.focus();
    }
  });
  section.hidden = false;
}

if (isSupported) document.querySelectorAll("[data-passkey]").forEach(prepare);
