// Search results while the user types in the global search, and other scripts of the header.

const PAUSE_MS = 180;

function searchAsTyped(form) {
  const input = form.querySelector('input[type=search]');
  const list = document.createElement('div');
  list.className = 'as-typed';
  list.id = 'as-typed';
  list.hidden = true;
  form.append(list);
  input.setAttribute('autocomplete', 'off');
  input.setAttribute('aria-controls', list.id);
  let timer;
  let asking;

  // A late answer must not appear after the user has turned to something else.
  const hide = () => {
    clearTimeout(timer);
    asking?.abort();
    list.hidden = true;
  };
  async function ask() {
    asking?.abort();
    const text = input.value.trim();
    if (text.length < 2) return hide();
    asking = new AbortController();
    try {
      const response = await fetch(`/search/?q=${encodeURIComponent(text)}`, {
        headers: { 'x-partial': '1' },
        signal: asking.signal,
      });
      // An expired session is reported by the page that the form leads to.
      if (!response.ok || response.redirected) return hide();
      // The answer is our own page, in which everything is escaped.
      list.innerHTML = await response.text();
      list.hidden = false;
    } catch (error) {
      if (error.name !== 'AbortError') hide();
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      hide();
      input.focus();
    }
    if (list.hidden || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    const all = [input, ...list.querySelectorAll('a')];
    const at = all.indexOf(document.activeElement);
    all[(at + (event.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length].focus();
    event.preventDefault();
  });
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget)) hide();
  });
  input.addEventListener('focus', () => {
    if (list.childElementCount && input.value.trim().length > 1) list.hidden = false;
  });
}

for (const form of document.querySelectorAll('form.find')) searchAsTyped(form);

// An open menu closes when the user turns to something else.
for (const menu of document.querySelectorAll('details.account'))
  for (const kind of ['click', 'focusin', 'keydown'])
    document.addEventListener(kind, (event) => {
      if (event.key === 'Escape' || (kind !== 'keydown' && !menu.contains(event.target))) menu.open = false;
    });
