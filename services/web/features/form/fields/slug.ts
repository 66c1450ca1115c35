/** A text as it may stand in an address: `Zürich 2 (new)` → `zurich-2-new`. The script of the forms does the same. */
export const slugOf = (text: string, most = 100): string =>
  text
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, most)
    .replace(/-+$/, '');
