import type { Widget } from '../../schema/widget.ts';

/** Secrets that were typed twice, and not alike. */
export const unlikeTwice = (widgets: readonly Widget[], fields: URLSearchParams): string[] =>
  widgets.flatMap(({ name, twice }) => (twice && fields.get(name) !== fields.get(`_again.${name}`) ? [name] : []));
