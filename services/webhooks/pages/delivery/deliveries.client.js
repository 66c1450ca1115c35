// Keeps pages about running work up to date: deliveries, replays. Everything else works without this script.

const GATHER_MS = 1000;
const POLL_MS = 5000;
const AGAIN_MS = 30_000;

/** The parts of a page that change by themselves. */
const PARTS = ['.tasks', '.list-body', '#outcome', '#progress', '#attempts', '.of-object .actions', '.panels.flow'];

const { lang, dataset } = document.documentElement;
const full = new Intl.DateTimeFormat(lang === navigator.language.slice(0, 2) ? navigator.language : lang, {
  dateStyle: 'medium',
  timeStyle: 'long',
  ...(dataset.zone ? { timeZone: dataset.zone } : {}),
});
const words = new Intl.RelativeTimeFormat(lang, { numeric: 'always', style: 'short' });
const now = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(0, 'second');
const UNITS = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** How long ago, as it is now; the moment itself stands in the title, in the reader's zone. */
function times() {
  for (const time of document.querySelectorAll('time[data-relative]')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const seconds = (at - Date.now()) / 1000;
    const [size, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [1, 'second'];
    time.textContent = Math.abs(seconds) < 5 ? now : words.format(Math.trunc(seconds / size), unit);
    time.title = full.format(at);
  }
}
times();
setInterval(times, AGAIN_MS);
for (const event of ['renewed', 'refreshed']) document.addEventListener(event, times);

const FOCUSED = 'a, summary, button, input, select, [tabindex]';

/** The key by which a focused element is found again in the refreshed parts. */
function keyOf(element) {
  const { dataset: own, tagName, name, value, className, textContent } = element;
  const text = tagName === 'BUTTON' ? textContent.trim() : '';
  return own.key ?? element.getAttribute('href') ?? [tagName, name, value, className, text].join(' ');
}

/** Puts fresh parts into the page; whatever was open, ticked or had the focus stays so. */
async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  if (response.type === 'opaqueredirect') return location.reload();
  if (!response.ok) throw new Error(String(response.status));
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const selector of PARTS) {
    const part = document.querySelector(selector);
    const next = fresh.querySelector(selector);
    // The user has ticked rows, or is choosing something.
    if (!part || !next || part.querySelector('[name="pk"]:checked')) continue;
    const focused = part.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
    const open = new Map([...part.querySelectorAll('details[data-key]')].map((one) => [one.dataset.key, one.open]));
    for (const one of part.querySelectorAll('.live')) next.querySelector('.live')?.replaceWith(one);
    part.replaceChildren(...next.childNodes);
    for (const one of part.querySelectorAll('details[data-key]'))
      if (open.has(one.dataset.key)) one.open = open.get(one.dataset.key);
    if (focused)
      [...part.querySelectorAll(FOCUSED)].find((one) => keyOf(one) === focused)?.focus({ preventScroll: true });
  }
  document.dispatchEvent(new CustomEvent('refreshed'));
}

let source = null;
let waiting = null;
let polling = null;
let last = 0;

function say(state) {
  const live = document.querySelector('.live');
  if (!live) return;
  live.hidden = false;
  live.dataset.state = state;
  if (live.textContent !== live.dataset[state]) live.textContent = live.dataset[state];
}

/** Many changes within a moment are one refresh. */
function soon() {
  if (waiting !== null) return;
  waiting = setTimeout(
    async () => {
      waiting = null;
      last = Date.now();
      await refresh().catch(() => say('off'));
    },
    Math.max(0, GATHER_MS - (Date.now() - last)),
  );
}

function poll() {
  say('poll');
  polling ??= setInterval(soon, POLL_MS);
}

function stop() {
  source?.close();
  source = null;
  clearInterval(polling);
  polling = null;
}

function follow(tail) {
  source = new EventSource(tail);
  source.addEventListener('open', () => {
    clearInterval(polling);
    polling = null;
    say('on');
    soon();
  });
  source.addEventListener('delivery', soon);
  source.addEventListener('error', () => {
    // The browser reconnects by itself, unless it was refused.
    if (source?.readyState === EventSource.CLOSED) poll();
    else say('again');
  });
}

function begin() {
  stop();
  const tail = document.querySelector('[data-tail]')?.dataset.tail;
  if (tail) follow(tail);
  else if (document.querySelector('[data-poll]:not(.live)')) poll();
}
// A hidden page needs no connection.
document.addEventListener('visibilitychange', () => (document.hidden ? stop() : begin()));
begin();

document.addEventListener('submit', (event) => {
  const question = event.submitter?.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});
