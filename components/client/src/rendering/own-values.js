// What a viewer gave before, as a field's own value: what was changed since stays changed, and a reset brings it back.

const known = new WeakMap(); // field -> what it was given last
const isTicked = ({ type }) => type === "radio" || type === "checkbox";
const original = (field) => (isTicked(field) ? field.defaultChecked : field.defaultValue);
const isChanged = (field) => (isTicked(field) ? field.checked : field.value) !== (known.has(field) ? known.get(field) : original(field));
const group = (field) => (field.type === "radio" && field.form ? [...field.form.elements].filter(({ name }) => name === field.name) : [field]);

export function give(field, value) {
  const stays = group(field).some(isChanged);
  known.set(field, value);
  if (isTicked(field)) {
    field.defaultChecked = value;
    if (!stays) field.checked = value;
  } else {
    const now = field.value;
    field.defaultValue = value;
    field.value = stays ? now : value;
  }
}
