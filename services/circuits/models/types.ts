import { color, type Definition, type Field, primary, primaryFields, slug, text } from '@cadastre/model';

/** What types of circuits and of virtual circuits have in common: everything but the count of their circuits. */
export const typeModel = (path: string, label: string, counts: Record<string, Field>): Definition => ({
  path,
  label,
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', ...Object.keys(counts)],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    color: color({ optional: true }),
    ...primaryFields(),
    ...counts,
  },
});
