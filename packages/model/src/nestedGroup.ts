import { comments, description, labels, owner, primary, timestamps, uniqueWithin } from './definition/features.ts';
import { depth } from './definition/representation.ts';
import { slug, text } from './fields/plain/text.ts';
import { ref } from './fields/related/relation.ts';
import { model } from './model.ts';
import type { Feature } from './types/feature.ts';
import type { Definition, Field, Model, Unique } from './types/model.ts';

export interface NestedGroup extends Pick<Definition, 'path' | 'label' | 'pages' | 'nested' | 'filters'> {
  /** Default: `primary`. */
  features?: Feature[];
  /** How many objects of each kind the group and those within it have. The brief form has those named in `brief`. */
  counts: Record<string, Field>;
  brief: readonly string[];
  /** Fields besides those that every group has. */
  fields?: Record<string, Field>;
  /** Where names and slugs are unique: in the parent (default), everywhere, or as these rules say. */
  unique?: 'everywhere' | Unique[];
}

/** A model whose objects lie in objects of the same model, and hold others together: groups, regions, roles. */
export function nestedGroup(name: string, group: NestedGroup): Model {
  const { path, label, pages, filters, features = primary, counts, brief, fields, unique } = group;
  const everywhere = unique === 'everywhere' ? { unique: true as const } : {};
  return model(name, {
    path,
    label,
    tree: true,
    features,
    brief: ['name', 'slug', 'description', ...brief, '_depth'],
    nested: group.nested ?? ['name', 'slug', '_depth'],
    search: ['name', 'slug', 'description', 'comments'],
    ...(pages ? { pages } : {}),
    ...(filters ? { filters } : {}),
    fields: {
      name: text({ max: 100, natural: true, ...everywhere }),
      slug: slug(everywhere),
      ...fields,
      parent: ref(name, { optional: true, onDelete: 'cascade', form: 'nested' }),
      ...description(),
      ...labels(),
      ...timestamps(),
      ...counts,
      ...owner(),
      ...comments(),
      _depth: depth(),
    },
    ...(unique === 'everywhere'
      ? {}
      : {
          unique:
            unique ??
            uniqueWithin('parent', ['name', 'slug'], {
              outside: (field) => `A top-level ${label} with this ${field} already exists.`,
            }),
        }),
  });
}
