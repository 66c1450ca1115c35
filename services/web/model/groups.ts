import type { Model } from '@cadastre/model';
import type { TextName } from '../texts/texts.ts';
import type { Widget } from './widgets.ts';

/** Widgets that stand together in a form. Without a title they are what the object is first of all. */
export interface Group<T> {
  title: { said: string } | { text: TextName } | undefined;
  widgets: T[];
}

/** What belongs together in every model that says nothing of it. */
const USUAL: readonly (readonly [TextName, (widget: Widget) => boolean])[] = [
  [
    'groupPlace',
    ({ name }) => ['latitude', 'longitude', 'physical_address', 'shipping_address', 'time_zone'].includes(name),
  ],
  ['groupTenancy', ({ name }) => ['tenant', 'owner'].includes(name)],
  ['groupData', ({ kind }) => kind === 'json'],
];

/** Notes stand last, whatever the declaration says of other fields. */
const isNote = ({ name }: Widget): boolean => name === 'comments';

/** The groups of a form: as the model says, and else what usually belongs together. */
export function groupsOf<T extends Widget>(model: Model, widgets: readonly T[]): Group<T>[] {
  const declared = model.pages?.groups ?? [];
  const taken = new Set(declared.flatMap(({ fields }) => fields));
  const rest = widgets.filter((one) => !taken.has(one.name) && !isNote(one));
  const usual = USUAL.map(([text, belongs]) => ({
    title: { text },
    widgets: rest.filter(belongs),
    // One field alone needs no title of its own among few.
  })).filter(({ widgets: some }) => some.length > 0 && some.length < rest.length);
  const apart = new Set(usual.flatMap(({ widgets: some }) => some));
  const byName = new Map(widgets.map((one) => [one.name, one]));
  const said = declared.map(({ title, fields }) => ({
    title: { said: title },
    widgets: fields.flatMap((name) => byName.get(name) ?? []),
  }));
  const notes = widgets.filter((one) => isNote(one) && !taken.has(one.name));
  return [
    { title: undefined, widgets: rest.filter((one) => !apart.has(one)) },
    ...said,
    ...usual,
    { title: { text: 'comments' as const }, widgets: notes },
  ].filter(({ widgets: some }) => some.length > 0);
}
