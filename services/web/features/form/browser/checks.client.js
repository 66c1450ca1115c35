// A long list of boxes gets an input that filters it, and shows how many boxes are ticked.

const LONG = 12;
const words = document.querySelector('#form-words')?.dataset ?? {};

function findable(list) {
  const boxes = [...list.querySelectorAll('input[type=checkbox]')];
  if (boxes.length < LONG) return;
  const bar = document.createElement('div');
  bar.className = 'checks-bar';
  const find = Object.assign(document.createElement('input'), { type: 'search', autocomplete: 'off' });
  find.setAttribute('aria-label', words.search);
  find.placeholder = words.search;
  const count = document.createElement('output');
  bar.append(find, count);
  list.before(bar);

  const said = (box) => box.closest('label').textContent.toLowerCase();
  const look = () => {
    const text = find.value.trim().toLowerCase();
    for (const box of boxes) box.closest('label').hidden = !said(box).includes(text) && !box.value.includes(text);
    for (const group of list.querySelectorAll('.checks-group'))
      group.hidden = !group.querySelector('label:not([hidden])');
  };
  const tell = () => {
    const chosen = boxes.filter(({ checked }) => checked).length;
    count.textContent = (list.dataset.chosen ?? '{count}').replace('{count}', chosen);
  };
  find.addEventListener('input', (event) => {
    // Typing in the filter does not count as a change of the form.
    event.stopPropagation();
    look();
  });
  find.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    list.querySelector('label:not([hidden]) input')?.focus();
  });
  list.addEventListener('change', tell);
  tell();
}

for (const list of document.querySelectorAll('[data-checks]')) findable(list);
