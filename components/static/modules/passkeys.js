// Fills in the forms of passkeys: asks the browser's owner for one, puts the answer into the form and sends it.
// Browsers that know no passkeys, or not as JSON, keep the forms hidden: there is always another way.

const Credential = window.PublicKeyCredential;
const isSupported = Credential && Credential.parseCreationOptionsFromJSON && Credential.parseRequestOptionsFromJSON;

/** What the browser is asked with: made for this one try, and by a post only, since it is kept in the session. */
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
      failed.hidden = false; // its owner said no, waited too long, or has none
      button.disabled = false;
      button.focus();
    }
  });
  section.hidden = false;
}

if (isSupported) document.querySelectorAll("[data-passkey]").forEach(prepare);
