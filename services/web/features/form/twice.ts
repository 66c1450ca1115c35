import type { Widget } from '../../schema/widget.ts';

/** The fields that were typed twice with different values. */
export const unlikeTwice = (widgets: readonly Widget[], fields: URLSearchParams): string[] =>
  widgets.flatMap(({ name, twice }) => (twice && fields.get(name) !== fields.get(`_again.${name}`) ? [name] : []));
