// The home page is arranged by hand: widgets are dragged by their grips, or moved by arrow keys, and made wider at their
// ends. The buttons do the same without scripts.

const WIDTHS = [4, 6, 8, 12];
const grid = document.querySelector('.widgets[data-arranging]');
const said = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
const widgets = () => [...grid.querySelectorAll('[data-widget]')];
const widthOf = (widget) => Number(widget.dataset.width);
const nameOf = (widget) => widget.querySelector('h2').textContent;

let status;
let saving = Promise.resolve();
function save() {
  const body = new URLSearchParams({
    csrf_token: grid.dataset.csrfToken,
    order: widgets()
      .map(({ dataset }) => `${dataset.widget}:${dataset.width}`)
      .join(' '),
  });
  // Saves run one after the other, so that the last one counts.
  saving = saving
    .then(() => fetch('/', { method: 'POST', body, redirect: 'manual' }))
    .then((answer) => {
      if (answer.type !== 'opaqueredirect') throw new Error(`${answer.status}`);
    })
    // After a failed save, the page shows the saved state again.
    .catch(() => location.reload());
}

const tell = (widget) => {
  const all = widgets();
  status.textContent = said(grid.dataset.moved, {
    name: nameOf(widget),
    at: all.indexOf(widget) + 1,
    count: all.length,
    width: widthOf(widget),
  });
};

function resize(widget, width) {
  if (width === undefined || width === widthOf(widget)) return false;
  widget.classList.replace(`w-${widthOf(widget)}`, `w-${width}`);
  widget.dataset.width = width;
  return true;
}

/** Moves a widget to the place of another; the widgets in between shift by one. */
function moveTo(widget, other) {
  if (!other || other === widget) return false;
  const all = widgets();
  other[all.indexOf(other) > all.indexOf(widget) ? 'after' : 'before'](widget);
  return true;
}

/** Follows the pointer until the button is released, or until Escape. */
function follow(handle, event, move) {
  if (event.button !== 0) return;
  event.preventDefault();
  handle.focus();
  handle.setPointerCapture(event.pointerId);
  let changed = false;
  const moved = (at) => {
    changed = move(at) || changed;
  };
  const end = () => {
    handle.removeEventListener('pointermove', moved);
    grid.classList.remove('dragging');
    if (!changed) return;
    const widget = handle.closest('[data-widget]');
    tell(widget);
    save();
  };
  grid.classList.add('dragging');
  handle.addEventListener('pointermove', moved);
  handle.addEventListener('lostpointercapture', end, { once: true });
}

function arrangeable(widget) {
  const grip = Object.assign(document.createElement('button'), { type: 'button', className: 'grip quiet' });
  grip.textContent = '⠿';
  grip.setAttribute('aria-label', said(grid.dataset.grip, { name: nameOf(widget) }));
  grip.setAttribute('aria-describedby', 'arrange-help');
  widget.querySelector('h2').before(grip);
  grip.addEventListener('pointerdown', (event) =>
    follow(grip, event, ({ clientX, clientY }) => {
      const under = document.elementsFromPoint(clientX, clientY).find((one) => one.matches('[data-widget]'));
      return moveTo(widget, under);
    }),
  );
  grip.addEventListener('keydown', (event) => {
    const rtl = getComputedStyle(grid).direction === 'rtl' ? -1 : 1;
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -rtl, ArrowRight: rtl }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const all = widgets();
    const width =
      step > 0 ? WIDTHS.find((one) => one > widthOf(widget)) : WIDTHS.findLast((one) => one < widthOf(widget));
    const changed = event.shiftKey ? resize(widget, width) : moveTo(widget, all[all.indexOf(widget) + step]);
    if (!changed) return;
    grip.focus();
    tell(widget);
    save();
  });

  const sizer = document.createElement('span');
  sizer.className = 'sizer';
  sizer.setAttribute('aria-hidden', 'true');
  widget.append(sizer);
  sizer.addEventListener('pointerdown', (event) =>
    follow(sizer, event, ({ clientX }) => {
      const { left, right } = widget.getBoundingClientRect();
      const rtl = getComputedStyle(grid).direction === 'rtl';
      const wanted = ((rtl ? right - clientX : clientX - left) / grid.clientWidth) * 12;
      return resize(
        widget,
        WIDTHS.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best)),
      );
    }),
  );
}

if (grid) {
  status = grid.parentElement.querySelector('#arrange-status');
  document.querySelector('#arrange-help').hidden = false;
  for (const widget of widgets()) arrangeable(widget);
}
