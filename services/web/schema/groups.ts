import type { Field, Model } from '@cadastre/model';
import { pagesOf } from './addresses.ts';

/** Fields that are shown together, in a form or on an object's page. The group with the main fields has no title. */
export interface Group<T> {
  title: string | undefined;
  members: T[];
}

const among =
  (...names: string[]) =>
  (name: string): boolean =>
    names.includes(name);

/** The default groups, for fields that the model does not group itself. */
const USUAL: readonly (readonly [title: string, belongs: (name: string, field: Field | undefined) => boolean])[] = [
  ['Place', among('latitude', 'longitude', 'physical_address', 'shipping_address', 'time_zone')],
  [
    'Connection',
    (name) => /^(link_peers|connected_endpoints)/.test(name) || ['mark_connected', 'cable', 'cable_end'].includes(name),
  ],
  ['Tenancy', among('tenant', 'owner')],
  ['Data source', (name) => /^data_(source|path|file|synced)$|^auto_sync_enabled$/.test(name)],
  ['Data', (_, field) => field?.kind === 'json'],
];

/** Comments always come last. */
const NOTES = 'comments';

/** Members of a model, or inputs for them, in groups: those that the model declares, then the default ones. */
export function groupsOf<T extends { name: string }>(model: Model, members: readonly T[]): Group<T>[] {
  const declared = Object.entries(pagesOf(model).groups ?? {});
  const taken = new Set(declared.flatMap(([, names]) => names));
  const byName = new Map(members.map((one) => [one.name, one]));
  const rest = members.filter(({ name }) => !taken.has(name) && name !== NOTES);
  const usual = USUAL.map(([title, belongs]) => ({
    title,
    members: rest.filter(({ name }) => belongs(name, model.fields[name])),
    // A group of all the remaining fields needs no title.
  })).filter(({ members: some }) => some.length > 0 && some.length < rest.length);
  const apart = new Set(usual.flatMap(({ members: some }) => some));
  return [
    { title: undefined, members: rest.filter((one) => !apart.has(one)) },
    ...declared.map(([title, names]) => ({ title, members: names.flatMap((name) => byName.get(name) ?? []) })),
    ...usual,
    { title: 'Comments', members: members.filter(({ name }) => name === NOTES && !taken.has(NOTES)) },
  ].filter(({ members: some }) => some.length > 0);
}

/** All titles that groups can have. */
export const groupTitles = (models: Iterable<Model>): Set<string> =>
  new Set([
    ...[...models].flatMap((model) => Object.keys(pagesOf(model).groups ?? {})),
    ...USUAL.map(([title]) => title),
  ]);
