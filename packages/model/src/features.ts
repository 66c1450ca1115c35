import type { Field } from './field.ts';
import { ref, tags } from './fields/relation.ts';
import { customFields } from './fields/special.ts';
import { text } from './fields/text.ts';
import { datetime } from './fields/time.ts';
import type { Feature } from './model.ts';

/** What the most important objects have. */
export const primary: Feature[] = [
  'tags', 'customFields', 'changeLogging', 'eventRules', 'journaling', 'bookmarks', 'notifications', 'exportTemplates', 'customLinks', 'cloning', 'timestamps',
];

/** The same with contacts. */
export const withContacts: Feature[] = [...primary, 'contacts'];

/** What objects have that only organise others (tags, custom fields). */
export const administrative: Feature[] = ['changeLogging', 'eventRules', 'exportTemplates', 'cloning', 'timestamps'];

/** When an object was created and last changed. */
export const timestamps = (): Record<string, Field> => ({
  created: datetime({ optional: true, readOnly: true }),
  last_updated: datetime({ optional: true, readOnly: true }),
});

/** Who is responsible for the record. */
export const owner = (): Record<string, Field> => ({ owner: ref('users.owner', { optional: true }) });

export const description = (): Record<string, Field> => ({ description: text({ max: 200, optional: true }) });

export const comments = (): Record<string, Field> => ({ comments: text({ optional: true, filter: false }) });

/** Tags and custom fields. */
export const labels = (): Record<string, Field> => ({ tags: tags(), custom_fields: customFields() });
