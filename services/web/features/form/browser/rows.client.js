// Fields that are filled in row by row: adds and removes rows without a request. Without this script, buttons do so.

/** The number of the next row; numbers need not follow each other. */
const nextOf = (rows) =>
  Math.max(
    -1,
    ...[...rows.querySelectorAll('[data-row] [name]')].map(({ name }) => Number(/\.(\d+)\.\w+$/.exec(name)?.[1] ?? -1)),
  ) + 1;

function addRow(rows) {
  const at = String(nextOf(rows));
  const { content } = rows.querySelector('template');
  const row = document.importNode(content, true).querySelector('[data-row]');
  for (const one of [row, ...row.querySelectorAll('*')])
    for (const { name, value } of [...one.attributes])
      if (value.includes('.__')) one.setAttribute(name, value.replaceAll('.__', `.${at}`));
  rows.querySelector('[data-add]').before(row);
  document.dispatchEvent(new CustomEvent('renewed', { detail: row }));
  row.querySelector('input:not([type="hidden"]), select:not([hidden])')?.focus();
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-rows] [data-add], [data-rows] [data-drop]');
  if (!button) return;
  event.preventDefault();
  const rows = button.closest('[data-rows]');
  if (button.matches('[data-add]')) return addRow(rows);
  const row = button.closest('[data-row]');
  const next = row.nextElementSibling?.querySelector('[data-drop]') ?? rows.querySelector('[data-add]');
  row.remove();
  next.focus();
  // Removing a filled row counts as a change of the form.
  rows.dispatchEvent(new Event('change', { bubbles: true }));
});
