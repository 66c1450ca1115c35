// Large drawings: moved by drag or arrow keys, made larger and smaller, searched, and saved as a file.

const STEP = 1.25;
/** The styles of the page that a saved drawing includes. */
const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'fill-opacity', 'opacity', 'text-anchor'];
const TEXT_STYLES = ['font-family', 'font-size', 'font-weight', 'dominant-baseline'];

function zoomable(root) {
  const svg = root.querySelector('svg');
  const region = root.querySelector('.view');
  const whole = svg.viewBox.baseVal;
  const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let view = { ...all };
  root.classList.add('quick');
  root.querySelector('.tools').hidden = false;

  const show = () => svg.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
  const scale = () => Math.max(view.width / svg.clientWidth, view.height / svg.clientHeight);
  /** Larger or smaller around a point, in shares of the view. */
  const zoom = (factor, at = { x: 0.5, y: 0.5 }) => {
    const width = Math.min(Math.max(view.width / factor, all.width / 40), all.width * 4);
    const height = (width * view.height) / view.width;
    view = { x: view.x + (view.width - width) * at.x, y: view.y + (view.height - height) * at.y, width, height };
    show();
  };
  const move = (x, y) => {
    view = { ...view, x: view.x + x, y: view.y + y };
    show();
  };
  const fit = () => {
    view = { ...all };
    show();
  };

  const actions = {
    in: () => zoom(STEP),
    out: () => zoom(1 / STEP),
    fit,
    save: () => save(svg, root.dataset.zoom, all),
  };
  for (const button of root.querySelectorAll('[data-do]')) button.addEventListener('click', actions[button.dataset.do]);

  const keys = {
    '+': actions.in,
    '-': actions.out,
    0: fit,
    ArrowLeft: () => move(-view.width / 10, 0),
    ArrowRight: () => move(view.width / 10, 0),
    ArrowUp: () => move(0, -view.height / 10),
    ArrowDown: () => move(0, view.height / 10),
  };
  region.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });
  region.addEventListener(
    'wheel',
    (event) => {
      // The wheel scrolls the page as usual; with Ctrl, or by pinching, it zooms the drawing.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const at = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
      zoom(event.deltaY < 0 ? STEP : 1 / STEP, at);
    },
    { passive: false },
  );

  let held;
  let dragged = false;
  region.addEventListener('pointerdown', (event) => {
    if (event.button === 0 && event.pointerType !== 'touch') held = { x: event.clientX, y: event.clientY };
    dragged = false;
  });
  document.addEventListener('pointermove', (event) => {
    if (!held) return;
    const [x, y] = [held.x - event.clientX, held.y - event.clientY];
    if (!dragged && Math.hypot(x, y) < 4) return;
    dragged = true;
    held = { x: event.clientX, y: event.clientY };
    move(x * scale(), y * scale());
  });
  document.addEventListener('pointerup', () => {
    held = undefined;
  });
  region.addEventListener('dragstart', (event) => event.preventDefault());
  region.addEventListener(
    'click',
    (event) => {
      if (dragged) event.preventDefault();
      dragged = false;
    },
    true,
  );
  find(root, svg);
}

/** Dims the nodes that do not match; lines stay visible when one of their ends matches. */
function find(root, svg) {
  const field = root.querySelector('[data-find]');
  field?.addEventListener('input', () => {
    const text = field.value.trim().toLowerCase();
    const matching = new Set();
    for (const node of svg.querySelectorAll('[data-key]')) {
      const matches = node.dataset.text.includes(text);
      if (matches) matching.add(node.dataset.key);
      node.classList.toggle('dim', !matches);
    }
    for (const line of svg.querySelectorAll('[data-between]'))
      line.classList.toggle('dim', !line.dataset.between.split(' ').some((key) => matching.has(key)));
  });
}

/** The drawing as a file of its own: the style that the page gives it is written into it. */
function save(svg, name, { x, y, width, height }) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    const names = element.tagName === 'text' ? [...STYLES, ...TEXT_STYLES] : STYLES;
    for (const property of names) to[i].setAttribute(property, style.getPropertyValue(property));
    if (element.hasAttribute('href'))
      to[i].setAttribute('href', element.href.baseVal && new URL(element.href.baseVal, location.href).href);
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [key, value] of Object.entries({ x, y, width, height })) ground.setAttribute(key, value);
  ground.setAttribute('fill', getComputedStyle(svg.closest('.view')).backgroundColor);
  copy.prepend(ground);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.svg`;
  link.click();
  URL.revokeObjectURL(url);
}

for (const root of document.querySelectorAll('[data-zoom]')) if (root.querySelector('svg')) zoomable(root);
