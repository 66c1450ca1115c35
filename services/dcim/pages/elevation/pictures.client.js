// Devices are moved in their racks: dragged, or with M and the arrow keys. The form of the page then says where to.

const UNIT = 24;
const form = document.querySelector('.move-device');
const racks = [...document.querySelectorAll('svg.rack')];
const said = form?.querySelector('[data-moving]');
let carried;

const number = (element, name) => Number(element.dataset[name]);
/** Places are halves of units. */
const half = (value) => Math.round(value * 2) / 2;

function take(device) {
  const svg = device.closest('svg.rack') ?? racks[0];
  const ghost = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ghost.setAttribute('class', 'ghost');
  const position = device.dataset.position === undefined ? number(svg, 'first') : number(device, 'position');
  carried = { device, ghost, svg, from: svg, position, start: device.dataset.position && position, height: 1 };
  carried.height = number(device, 'height');
  device.classList.add('carried');
  show();
}

/** Whether something else stands there. */
const taken = ({ svg, position, height, device }) =>
  [...svg.querySelectorAll('[data-of]')].some(
    (one) =>
      one.dataset.of !== device.dataset.device &&
      number(one, 'position') < position + height &&
      number(one, 'position') + number(one, 'height') > position,
  );

function show() {
  const { svg, ghost, height, device } = carried;
  const [first, units] = [number(svg, 'first'), number(svg, 'units')];
  carried.position = Math.min(Math.max(carried.position, first), first + units - height);
  const inside = svg.querySelector('.inside');
  const depth = svg.dataset.descending ? carried.position - first : units - (carried.position - first) - height;
  for (const name of ['x', 'width']) ghost.setAttribute(name, inside.getAttribute(name));
  ghost.setAttribute('y', String(depth * UNIT));
  ghost.setAttribute('height', String(height * UNIT));
  ghost.classList.toggle('wrong', taken(carried));
  inside.parentNode.append(ghost);
  const free = taken(carried) ? 'in use' : 'free';
  said.textContent = `${device.dataset.name}: ${svg.getAttribute('aria-label')}, U${carried.position}, ${free}`;
}

function letGo() {
  carried?.ghost.remove();
  carried?.device.classList.remove('carried');
  carried = undefined;
}

/** Leaves the device where it is now. */
function leave() {
  const { device, svg, from, position, start } = carried;
  const moved = svg !== from || position !== start;
  letGo();
  if (!moved) return;
  form.elements.device.value = device.dataset.device;
  form.elements.rack.value = svg.dataset.rack;
  form.elements.position.value = String(position);
  form.elements.face.value = svg.dataset.face;
  form.requestSubmit();
}

/** The place in a rack that a pointer is at, in units from its lowest one. */
function unitAt(svg, y) {
  const box = svg.getBoundingClientRect();
  const depth = ((y - box.top) / box.height) * (svg.viewBox.baseVal.height / UNIT);
  const first = number(svg, 'first');
  return svg.dataset.descending ? first + depth : first + number(svg, 'units') - depth;
}

function follow({ clientX, clientY }) {
  const svg = document.elementFromPoint(clientX, clientY)?.closest('svg.rack');
  if (!svg) return;
  carried.svg = svg;
  const at = unitAt(svg, clientY) - carried.held;
  carried.position = carried.height % 1 ? half(at) : Math.round(at);
  show();
}

function byPointer() {
  let pressed;
  let justMoved = false;
  document.addEventListener('pointerdown', (event) => {
    const device = event.button === 0 && event.target.closest?.('[data-device]');
    justMoved = false;
    if (device) pressed = { device, x: event.clientX, y: event.clientY };
  });
  document.addEventListener('pointermove', (event) => {
    if (pressed && !carried && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 6) {
      take(pressed.device);
      const own = pressed.device.closest('svg.rack');
      carried.held = own ? unitAt(own, pressed.y) - carried.position : carried.height / 2;
    }
    if (pressed && carried) follow(event);
  });
  document.addEventListener('pointerup', () => {
    if (pressed && carried) {
      justMoved = true;
      leave();
    }
    pressed = undefined;
  });
  document.addEventListener('pointercancel', () => {
    pressed = undefined;
    letGo();
  });
  document.addEventListener('dragstart', (event) => event.target.closest?.('[data-device]') && event.preventDefault());
  // The click that ends a drag must not follow the link of the device.
  document.addEventListener(
    'click',
    (event) => {
      if (justMoved) event.preventDefault();
      justMoved = false;
    },
    true,
  );
}

const STEPS = { ArrowUp: 1, ArrowDown: -1 };
const SIDES = { ArrowRight: 1, ArrowLeft: -1 };

function byKeyboard() {
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    if (!carried) {
      const device = event.target.closest?.('[data-device]');
      if (!device || key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      take(device);
      return;
    }
    if (key in STEPS) {
      const up = carried.svg.dataset.descending ? -STEPS[key] : STEPS[key];
      carried.position += up * (event.shiftKey ? 0.5 : 1);
      show();
    } else if (key in SIDES) {
      carried.svg = racks[(racks.indexOf(carried.svg) + SIDES[key] + racks.length) % racks.length];
      show();
    } else if (key === 'Enter') leave();
    else if (key === 'Escape') {
      said.textContent = `${carried.device.dataset.name}: –`;
      letGo();
    } else return;
    event.preventDefault();
  });
}

if (form && racks.length) {
  byPointer();
  byKeyboard();
  if (/^#device-\d+$/.test(location.hash)) document.querySelector(location.hash)?.focus();
}
