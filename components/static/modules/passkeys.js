// Fills in the forms of passkeys: asks the browser's owner for one, puts the answer into the form and sends it.
// Browsers that know no passkeys, or not as JSON, keep the forms hidden: there is always another way.

const known = window.PublicKeyCredential;
const able = known && known.parseCreationOptionsFromJSON && known.parseRequestOptionsFromJSON;

async function options({ passkey, start }) {
  if (passkey !== "fetch") return JSON.parse(start).publicKey;
  const answer = await fetch(start, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`passkeys: ${answer.status}`);
  return (await answer.json()).publicKey;
}

async function asked(data) {
  const publicKey = await options(data);
  return data.passkey === "create"
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
      form.elements.credential.value = JSON.stringify(await asked(place.dataset));
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
