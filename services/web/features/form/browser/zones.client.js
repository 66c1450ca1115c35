// Times in forms are in the reader's zone: the browser's zone, unless the user has chosen another. Without this script
// it is UTC, as the form states.

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const two = (number) => String(number).padStart(2, '0');

/** A UTC time such as `2026-11-23T23:30`, in the browser's zone. */
function here(text) {
  const at = new Date(`${text}Z`);
  if (text === '' || Number.isNaN(at.valueOf())) return text;
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const seconds = at.getSeconds() ? `:${two(at.getSeconds())}` : '';
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

function zoned(where) {
  for (const zone of where.querySelectorAll('input[data-own-zone]')) {
    const { form } = zone;
    zone.value = own;
    zone.removeAttribute('data-own-zone');
    // Values that the browser has restored after going back are in this zone already.
    for (const field of form.querySelectorAll('input[type="datetime-local"]'))
      if (field.value === field.defaultValue) field.value = here(field.value);
    for (const name of form.querySelectorAll('[data-zone-name]')) name.textContent = own;
  }
}

if (own) {
  zoned(document);
  // Content that is inserted later.
  new MutationObserver((all) => {
    for (const { addedNodes } of all) for (const node of addedNodes) if (node.querySelectorAll) zoned(node);
  }).observe(document.body, { childList: true, subtree: true });
}
