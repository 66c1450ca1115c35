// Keyboard shortcuts; `?` lists them. Elements name their key: `data-hotkey` for a single key, `data-place` for a key
// after `g`.

const PAUSE_MS = 1500;
const HELP = '/user/keyboard/';
const off = document.documentElement.dataset.keys === 'off';
let went = 0;

const typing = ({ target }) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select'));
const byKey = (name, key) =>
  [...document.querySelectorAll(`[${name}]`)].find(
    (one) => one.getAttribute(name) === key && one.closest('[hidden], dialog:not([open])') === null,
  );

function act(element) {
  if (element.matches('input')) {
    element.focus();
    element.select();
  } else element.click();
}

/** Shows the page that lists the keys in a dialog. */
async function help() {
  let dialog = document.querySelector('dialog.help-keys');
  if (!dialog) {
    const response = await fetch(HELP, { headers: { 'x-partial': '1' } });
    // An expired session is reported by the page itself.
    if (!response.ok || response.redirected) return location.assign(HELP);
    dialog = document.createElement('dialog');
    dialog.className = 'help-keys';
    // The answer is our own page, in which everything is escaped.
    dialog.innerHTML = await response.text();
    const heading = dialog.querySelector('h1');
    if (heading) {
      heading.id = 'help-keys';
      heading.tabIndex = -1;
      heading.setAttribute('autofocus', '');
      dialog.setAttribute('aria-labelledby', heading.id);
    }
    // A click beside the content has the dialog itself as its target.
    dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
    document.body.append(dialog);
  }
  if (!dialog.open) dialog.showModal();
}

document.addEventListener('keydown', (event) => {
  const { key } = event;
  if (off || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
  if (document.querySelector('dialog[open]')) return;
  const going = Date.now() - went < PAUSE_MS;
  went = key === 'g' && !going ? Date.now() : 0;
  const found = going ? byKey('data-place', key) : byKey('data-hotkey', key);
  if (key === '?') help();
  else if (found) act(found);
  else return;
  event.preventDefault();
});
