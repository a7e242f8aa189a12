// What a viewer gave before, as a field's own value: what was changed since stays changed, and a reset brings it back.

const lastValues = new WeakMap(); // field -> what it was given last
const isTicked = ({ type }) => type === "radio" || type === "checkbox";
const original = (field) => (isTicked(field) ? field.defaultChecked : field.defaultValue);
const isChanged = (field) => (isTicked(field) ? field.checked : field.value) !== (lastValues.has(field) ? lastValues.get(field) : original(field));
function group(field) {
  const named = field.type === "radio" && field.form ? field.form.elements.namedItem(field.name) : field;
  return named === field ? [field] : [...named];
}

export function setSlotValue(field, value) {
  const isKept = group(field).some(isChanged);
  lastValues.set(field, value);
  if (isTicked(field)) {
    field.defaultChecked = value;
    if (!isKept) field.checked = value;
  } else {
    const now = field.value;
    field.defaultValue = value;
    field.value = isKept ? now : value;
  }
}
