/** A text as a slug: `Zürich 2 (new)` → `zurich-2-new`. The script of the forms has the same rule. */
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
