// Help for filling in a form: slugs, colours, checks, ranges. Every form works without this script.

const form = document.querySelector('form[data-edit]');
const words = document.getElementById('form-words')?.dataset ?? {};
const say = (name, values = {}) =>
  (words[name.toLowerCase()] ?? '').replace(/\{(\w+)\}/g, (place, value) => values[value] ?? place);

/** As `slugOf` on the server. */
const slugOf = (text, most) =>
  text
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, most)
    .replace(/-+$/, '');

function slugs(field) {
  const source = form.elements[field.dataset.from];
  if (!source) return;
  const made = () => slugOf(source.value, field.maxLength > 0 ? field.maxLength : 100);
  // A slug that was typed by hand is kept.
  let own = field.value !== '' && field.value !== made();
  field.addEventListener('input', () => (own = field.value !== ''));
  source.addEventListener('input', () => {
    if (!own) field.value = made();
  });
}

function colors(field) {
  const picker = document.createElement('input');
  picker.type = 'color';
  picker.setAttribute('list', 'palette');
  picker.setAttribute('aria-label', say('colorPick'));
  const show = () => {
    const [color] = /[0-9a-f]{6}$/i.exec(field.value) ?? [];
    picker.classList.toggle('unset', !color);
    if (color) picker.value = `#${color}`;
  };
  field.removeAttribute('list');
  picker.addEventListener('input', () => (field.value = picker.value.slice(1)));
  field.addEventListener('input', show);
  field.before(picker);
  show();
}

const parts4 = (text) => {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((one) => /^\d{1,3}$/.test(one) && Number(one) < 256)
    ? parts.map(Number)
    : undefined;
};

/** The eight parts of an IPv6 address, or undefined; the browser's URL parser reads the notation. */
function parts6(text) {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return undefined;
  let host;
  try {
    host = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [before, after] = host.split('::').map((side) => side.split(':').filter(Boolean));
  const all = after ? [...before, ...Array(8 - before.length - after.length).fill('0'), ...after] : before;
  return all.map((one) => Number.parseInt(one, 16));
}

/** An address with the properties of its network; undefined if the text is not an address. */
function networkOf(text) {
  const [address, mask, ...rest] = text.split('/');
  const four = parts4(address);
  const parts = four ?? parts6(address);
  const size = four ? 8 : 16;
  if (!parts || rest.length) return undefined;
  const bits = parts.length * size;
  if (mask === undefined) return { masked: false };
  if (!/^\d{1,3}$/.test(mask) || Number(mask) > bits) return undefined;
  const net = parts.map((part, i) => {
    const kept = Math.max(0, Math.min(size, Number(mask) - i * size));
    return part & ~((1 << (size - kept)) - 1);
  });
  const text6 = () => new URL(`http://[${net.map((one) => one.toString(16)).join(':')}]/`).hostname.slice(1, -1);
  return {
    masked: true,
    exact: net.every((one, i) => one === parts[i]),
    network: `${four ? net.join('.') : text6()}/${mask}`,
  };
}

const CHECKS = {
  address(text) {
    const found = networkOf(text);
    if (!found) return [false, say('checkAddress')];
    return found.masked ? [true, say('checkAddressFine', found)] : [false, say('checkMask')];
  },
  prefix(text) {
    const found = networkOf(text);
    if (!found?.masked) return [false, say(found ? 'checkMask' : 'checkPrefix')];
    return found.exact ? [true, ''] : [false, say('checkHost', found)];
  },
  mac: (text) => (/^[0-9a-f]{12}$/i.test(text.replace(/[:.\-\s]/g, '')) ? [true, ''] : [false, say('checkMac')]),
  json(text) {
    try {
      JSON.parse(text);
      return [true, ''];
    } catch (error) {
      return [false, `${say('checkJson')} ${error.message}`];
    }
  },
};

function checks(field, check) {
  const note = document.createElement('output');
  note.className = 'check';
  field.after(note);
  const look = () => {
    const text = field.value.trim();
    const [fine, said] = text === '' ? [true, ''] : check(text);
    note.textContent = said;
    note.classList.toggle('bad', !fine);
  };
  field.addEventListener('input', look);
  look();
}

if (form) {
  for (const field of form.querySelectorAll('[data-from]')) slugs(field);
  for (const field of form.querySelectorAll('[data-color]')) colors(field);
  for (const field of form.querySelectorAll('[data-check]')) checks(field, CHECKS[field.dataset.check]);
  for (const field of form.querySelectorAll('textarea.code')) checks(field, CHECKS.json);
  // The focus goes to the first problem.
  document.querySelector('[data-focus]')?.focus();
  // Leaving the page by accident must not lose what was typed.
  let touched = false;
  form.addEventListener('input', () => (touched = true));
  form.addEventListener('submit', () => (touched = false));
  addEventListener('beforeunload', (event) => touched && event.preventDefault());
}
