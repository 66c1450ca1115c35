import { type Cell, html } from '@cadastre/pages';

/** The object of a change: a link while it exists, and afterwards its last name. */
export const cells: readonly Cell[] = [
  {
    on: 'core.objectchange',
    name: 'changed_object',
    shows: ['object_repr'],
    render: ({ changed_object: object, object_repr: text }, { shown }) =>
      object ? shown(object) : html`${String(text ?? '')}`,
  },
];
