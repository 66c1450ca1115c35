import type { Feature, Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { orNothing } from '../../../context/refusals.ts';

/** Things that can refer to objects of any type that has the matching feature. */
export interface About {
  feature: Feature;
  type: string;
  path: string;
  typeField: string;
  idField: string;
}

const about = (feature: Feature, type: string, path: string, prefix = 'object'): About => ({
  feature,
  type,
  path,
  typeField: `${prefix}_type`,
  idField: `${prefix}_id`,
});

export const CONTACTS = about('contacts', 'tenancy.contactassignment', '/api/tenancy/contact-assignments/');
export const IMAGES = about('imageAttachments', 'extras.imageattachment', '/api/extras/image-attachments/');
export const JOURNAL = about('journaling', 'extras.journalentry', '/api/extras/journal-entries/', 'assigned_object');
export const BOOKMARKS = about('bookmarks', 'extras.bookmark', '/api/extras/bookmarks/');
export const SUBSCRIPTIONS = about('notifications', 'extras.subscription', '/api/extras/subscriptions/');

/** Parameters for the list of those that refer to an object. */
export const queryAbout = ({ typeField, idField }: About, type: string, id: number): string =>
  `${typeField}=${type}&${idField}=${id}`;

/** Those that refer to an object, as far as the user may see them; undefined if objects of its type cannot have any. */
export async function listAbout<T = Shown>(
  { api, catalogue, may }: Pick<PageRequest, 'api' | 'catalogue' | 'may'>,
  one: About,
  model: Model,
  id: number,
  more: string,
): Promise<Listed<T> | undefined> {
  if (!model.features.has(one.feature) || !catalogue.has(one.type) || !(await may('view', one.type))) return undefined;
  return orNothing(api.get<Listed<T>>(`${one.path}?${queryAbout(one, model.name, id)}&${more}`));
}
