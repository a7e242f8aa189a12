// Fills in the forms of passkeys: asks the browser's owner for one, puts the answer into the form and sends it.
// Browsers that know no passkeys, or not as JSON, keep the forms hidden: there is always another way.

const known = window.PublicKeyCredential;
const able = known && known.parseCreationOptionsFromJSON && known.parseRequestOptionsFromJSON;

/** What the browser is asked with: made for this one try, and by a post only, since it is kept in the session. */
async function question(form) {
  const { value } = form.elements.csrfmiddlewaretoken;
  const body = new URLSearchParams({ csrfmiddlewaretoken: value, question: "1" });
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`passkeys: ${answer.status}`);
  return (await answer.json()).publicKey;
}

async function asked(form, ceremony) {
  const publicKey = await question(form);
  return ceremony === "create"
    ? navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(publicKey) })
    : navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(publicKey) });
}

function ready(place) {
  const form = place.querySelector("form");
  const failed = place.querySelector("[data-passkey-failed]");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failed.hidden = true;
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify(await asked(form, place.dataset.passkey));
      form.submit();
    } catch {
      failed.hidden = false; // its owner said no, waited too long, or has none
      button.disabled = false;
      button.focus();
    }
  });
  place.hidden = false;
}

if (able) document.querySelectorAll("[data-passkey]").forEach(ready);
