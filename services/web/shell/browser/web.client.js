// What makes the pages quick. Every page works without it.

/** Times in the zone of the browser, where no other was chosen. */
const { lang } = document.documentElement;
const format = new Intl.DateTimeFormat(lang === navigator.language.slice(0, 2) ? navigator.language : lang, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
function zoned(where) {
  for (const time of where.querySelectorAll('time:not([data-zoned], [data-relative])')) {
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
