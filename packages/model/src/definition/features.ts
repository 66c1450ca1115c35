import { text } from '../fields/plain/text.ts';
import { datetime } from '../fields/plain/time.ts';
import { ref, tags } from '../fields/related/relation.ts';
import { imported } from '../fields/replaced.ts';
import { customFields } from '../fields/special.ts';
import { tree } from '../filters/filter.ts';
import type { Feature } from '../types/feature.ts';
import type { Filter } from '../types/filter.ts';
import type { Field, Unique } from '../types/model.ts';

/** What the most important objects have. */
export const primary: Feature[] = [
  'tags',
  'customFields',
  'changeLogging',
  'eventRules',
  'journaling',
  'bookmarks',
  'notifications',
  'exportTemplates',
  'customLinks',
  'cloning',
  'timestamps',
];

/** The same with contacts. */
export const withContacts: Feature[] = [...primary, 'contacts'];

/** What objects have that only organise others (tags, custom fields). */
export const administrative: Feature[] = ['changeLogging', 'eventRules', 'exportTemplates', 'cloning', 'timestamps'];

/** When an object was created and last changed. */
export const timestamps = (): Record<string, Field> => ({
  created: imported(datetime({ optional: true, readOnly: true })),
  last_updated: imported(datetime({ optional: true, readOnly: true })),
});

/** Who is responsible for the record. */
export const owner = (): Record<string, Field> => ({ owner: ref('users.owner', { optional: true }) });

export const description = (): Record<string, Field> => ({ description: text({ max: 200, optional: true }) });

export const comments = (): Record<string, Field> => ({ comments: text({ optional: true, filter: false }) });

/** Tags and custom fields. */
export const labels = (): Record<string, Field> => ({ tags: tags(), custom_fields: customFields() });

/**
 * What every object with the features of `primary` ends with: description, owner, comments, tags, custom fields, and
 * when it was created and changed.
 */
export const primaryFields = (): Record<string, Field> => ({
  ...description(),
  ...owner(),
  ...comments(),
  ...labels(),
  ...timestamps(),
});

/** By the group of the tenant that uses an object, for models with a field `tenant`. */
export const tenantGroupFilters = (): Record<string, Filter> => ({
  tenant_group_id: tree('tenant.group'),
  tenant_group: tree('tenant.group', 'slug'),
});

/** For models with contacts whose lists have no filters by contact. */
export const noContactFilters = { contact: false, contact_role: false, contact_group: false } as const;

/** Fields that are unique among the objects with the same parent, and among those without one. */
export const uniqueWithin = (
  parent: string,
  fields: string[],
  message?: { inside?: (field: string) => string; outside: (field: string) => string },
): Unique[] =>
  fields.flatMap((field) => [
    {
      fields: [parent, field],
      where: `${parent}_id is not null`,
      ...(message?.inside ? { message: message.inside(field) } : {}),
    },
    { fields: [field], where: `${parent}_id is null`, ...(message ? { message: message.outside(field) } : {}) },
  ]);
