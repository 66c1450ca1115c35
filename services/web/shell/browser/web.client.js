// Scripts that make the pages more convenient. Every page works without them.

/** Times are shown in the browser's zone, unless the user has chosen another. */
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
// Content that is inserted later.
new MutationObserver((all) => {
  for (const { addedNodes } of all) for (const node of addedNodes) if (node.querySelectorAll) zoned(node);
}).observe(document.body, { childList: true, subtree: true });
