// What pages do in a browser beyond links and forms: they keep themselves up to date. Without this script everything
// else works.
const main = document.querySelector('main');
const shown = document.querySelector('.live');
const tail = main?.dataset.tail;
const gatherMs = 1000;
const pollMs = 5000;

const say = (text, state) => {
  if (!shown) return;
  shown.hidden = false;
  if (shown.textContent !== text) shown.textContent = text;
  shown.dataset.state = state;
};

/** Puts the present state of each live part into the page; whatever was open or had the focus stays so. */
async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  if (response.type === 'opaqueredirect') {
    location.reload();
    return;
  }
  if (!response.ok) throw new Error(String(response.status));
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!next || next.innerHTML === part.dataset.seen) continue;
    const focused = part.contains(document.activeElement)
      ? document.activeElement.closest('[data-key]')?.dataset.key
      : undefined;
    const opened = new Map([...part.querySelectorAll('details[data-key]')].map((one) => [one.dataset.key, one.open]));
    part.dataset.seen = next.innerHTML;
    part.replaceChildren(...next.childNodes);
    for (const one of part.querySelectorAll('details[data-key]'))
      if (opened.has(one.dataset.key)) one.open = opened.get(one.dataset.key);
    if (focused !== undefined)
      part.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

let source = null;
let waiting = null;
let polling = null;
let last = 0;

/** Many changes within a moment are one refresh. */
function soon() {
  if (waiting !== null) return;
  waiting = setTimeout(
    async () => {
      waiting = null;
      last = Date.now();
      try {
        await refresh();
      } catch {
        say('Cannot reach the server', 'off');
      }
    },
    Math.max(0, gatherMs - (Date.now() - last)),
  );
}

function poll() {
  say('Updated every 5 seconds', 'polling');
  polling ??= setInterval(soon, pollMs);
}

function stop() {
  source?.close();
  source = null;
  clearInterval(polling);
  polling = null;
}

function follow() {
  stop();
  source = new EventSource(tail);
  source.addEventListener('open', () => {
    clearInterval(polling);
    polling = null;
    say('Live', 'on');
    soon();
  });
  source.addEventListener('delivery', soon);
  source.addEventListener('error', () => {
    // It comes back by itself, unless it was refused.
    if (source?.readyState === EventSource.CLOSED) poll();
    else say('Reconnecting', 'off');
  });
}

const begin = tail ? follow : main?.dataset.poll !== undefined ? poll : null;
if (begin) {
  // A page that nobody looks at needs no connection.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stop();
    else begin();
  });
  begin();
}

document.addEventListener('submit', (event) => {
  const question = event.submitter?.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

/** What somebody had typed goes on by itself after the login. */
document.querySelector('form[data-again]')?.requestSubmit();
