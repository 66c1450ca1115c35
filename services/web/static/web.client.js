// What makes the pages quick. Every page works without it.

/** `/` goes to the search; `g` and a letter to a list. */
const PLACES = {
  d: '/dcim/devices/',
  s: '/dcim/sites/',
  r: '/dcim/racks/',
  i: '/ipam/ip-addresses/',
  p: '/ipam/prefixes/',
  v: '/ipam/vlans/',
  h: '/',
};
let went = 0;
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  if (event.key === '/') {
    event.preventDefault();
    document.querySelector('[data-hotkey="/"]')?.focus();
  } else if (event.key === 'g') went = Date.now();
  else if (Date.now() - went < 1500 && PLACES[event.key]) location.href = PLACES[event.key];
});

/** Times in the zone of the browser, where no other was chosen. */
const { lang } = document.documentElement;
const format = new Intl.DateTimeFormat(lang === navigator.language.slice(0, 2) ? navigator.language : lang, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
function zoned(where) {
  for (const time of where.querySelectorAll('time:not([data-zoned])')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.valueOf())) continue;
    time.textContent = format.format(at);
    time.dataset.zoned = '';
  }
}
zoned(document);
// What comes later, with a part of a page.
new MutationObserver((all) => {
  for (const { addedNodes } of all) for (const node of addedNodes) if (node.querySelectorAll) zoned(node);
}).observe(document.body, { childList: true, subtree: true });
