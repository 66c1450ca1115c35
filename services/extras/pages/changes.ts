import { type Cell, html } from '@cadastre/pages';

/** What a change was about: a link as long as it is there, and afterwards what it was called. */
export const cells: readonly Cell[] = [
  {
    on: 'core.objectchange',
    name: 'changed_object',
    shows: ['object_repr'],
    render: ({ changed_object: object, object_repr: text }, { shown }) =>
      object ? shown(object) : html`${String(text ?? '')}`,
  },
];
