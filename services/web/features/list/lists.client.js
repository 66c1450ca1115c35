// Lists: changes a list in place, and supports the usual ways to select rows. Every page works without this script.

const list = () => document.querySelector('.list-page');

const address = () => location.pathname + location.search;
/** The address of the list that is shown. */
let shown = address();
let latest = 0;
/** Replaces the list with that of another address. If the address has no such list, the browser navigates to it. */
async function show(target, push = true) {
  const page = list();
  const turn = ++latest;
  page?.classList.add('loading');
  let next;
  try {
    const answer = await fetch(target, { headers: { 'x-partial': '1' } });
    const html = await answer.text();
    if (turn !== latest) return;
    next = new DOMParser().parseFromString(html, 'text/html').querySelector('.list-page');
    if (answer.redirected) target = answer.url;
  } catch {
    next = null;
  }
  if (!next || !page || next.dataset.list !== page.dataset.list) {
    location.href = target;
    return;
  }
  const { id } = document.activeElement ?? {};
  const at = document.querySelector('.list-aside')?.scrollTop ?? 0;
  page.replaceWith(document.adoptNode(next));
  if (push) history.pushState({ list: true }, '', target);
  shown = address();
  const aside = document.querySelector('.list-aside');
  if (aside) aside.scrollTop = at;
  (id ? document.getElementById(id) : undefined)?.focus();
  prepare();
  // Other scripts (pickers, times) prepare the new content.
  document.dispatchEvent(new CustomEvent('renewed', { detail: next }));
}

/** Shows the controls that work only with scripts. */
function prepare() {
  const page = list();
  if (!page) return;
  for (const one of page.querySelectorAll('.pick-page, .find-filter')) one.hidden = false;
  if (document.querySelector('form.bulk')) count();
}

/** Shows how many rows are selected, and which actions are possible. */
function count() {
  const form = document.querySelector('form.bulk');
  const boxes = [...form.querySelectorAll('[name="pk"]')];
  const chosen = boxes.filter((one) => one.checked).length;
  const all = form.querySelector('[name="_all"]');
  const whole = form.querySelector('.pick-page');
  whole.checked = chosen > 0 && chosen === boxes.length;
  whole.indeterminate = chosen > 0 && chosen < boxes.length;
  if (all && chosen < boxes.length) all.checked = false;
  const bar = form.querySelector('.bulk-bar');
  bar.hidden = !chosen;
  const said = form.querySelector('.picked');
  said.textContent = chosen && !all?.checked ? said.dataset.some.replace('{count}', chosen) : '';
}

let last;
document.addEventListener('click', (event) => {
  const box = event.target.closest('form.bulk [name="pk"]');
  if (box) {
    // With the shift key, all boxes between the last one and this one.
    const boxes = [...box.form.querySelectorAll('[name="pk"]')];
    if (event.shiftKey && last?.isConnected) {
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
      for (const one of boxes.slice(from, to + 1)) one.checked = box.checked;
    }
    last = box;
    count();
    return;
  }
  const link = event.target.closest('a[href]');
  const page = list();
  if (!link || !page?.contains(link) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.hasAttribute('download'))
    return;
  const { pathname, origin, searchParams } = new URL(link.href);
  if (origin !== location.origin || pathname !== page.dataset.list || searchParams.has('export')) return;
  event.preventDefault();
  void show(link.href);
});

document.addEventListener('change', ({ target }) => {
  const form = target.closest?.('form.bulk');
  if (!form) return;
  const boxes = form.querySelectorAll('[name="pk"]');
  if (target.matches('.pick-page')) for (const one of boxes) one.checked = target.checked;
  if (target.matches('[name="_all"]') && target.checked) for (const one of boxes) one.checked = true;
  count();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  const page = list();
  if (!page?.contains(form)) return;
  if (form.matches('form.bulk')) {
    // If the whole list is selected, the ids are not sent.
    if (form.querySelector('[name="_all"]')?.checked)
      for (const one of form.querySelectorAll('[name="pk"]')) one.disabled = true;
    return;
  }
  if (form.method !== 'get') return;
  event.preventDefault();
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) if (value !== '') query.append(name, value);
  void show(`${new URL(form.action).pathname}?${query}`);
});

// Enables the boxes again when the user returns to the page.
addEventListener('pageshow', () => {
  for (const one of document.querySelectorAll('form.bulk [name="pk"]')) one.disabled = false;
  prepare();
});
addEventListener('popstate', () => {
  // A jump within the page, such as the link that skips the menu, shows no other list.
  if (list() && address() !== shown) void show(location.href, false);
});

/** Finds a filter among many by its name. */
document.addEventListener('input', ({ target }) => {
  if (!target.matches?.('.find-filter')) return;
  const text = target.value.trim().toLowerCase();
  for (const group of target.form.querySelectorAll('details')) {
    let some = false;
    for (const one of group.querySelectorAll('.filter')) {
      one.hidden = text !== '' && !one.dataset.label.includes(text);
      some ||= !one.hidden;
    }
    group.hidden = !some;
    if (text !== '' && some) group.open = true;
  }
});

/** Columns are moved on the page, and kept only when the user saves them. */
document.addEventListener('click', (event) => {
  const button = event.target.closest('.column-list button[name="_move"]');
  if (!button) return;
  event.preventDefault();
  const row = button.closest('li');
  const other = button.value.startsWith('-') ? row.previousElementSibling : row.nextElementSibling;
  if (!other?.querySelector('button')) return;
  if (button.value.startsWith('-')) other.before(row);
  else other.after(row);
  const movable = [...row.parentElement.children].filter((one) => one.querySelector('button'));
  for (const [i, one] of movable.entries()) {
    const [up, down] = one.querySelectorAll('button');
    up.disabled = i === 0;
    down.disabled = i === movable.length - 1;
  }
  (button.disabled ? row.querySelector('button:not(:disabled)') : button)?.focus();
});

prepare();

// Another script has inserted new rows into the list.
document.addEventListener('refreshed', prepare);

// Browsers scroll only until the edge of a focused element is visible; in a table that scrolls sideways, the rest stays
// hidden.
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('.scroll :focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
});
