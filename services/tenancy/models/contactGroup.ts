import { countBelow, nestedGroup, path } from '@cadastre/model';

/** Contacts that belong together: a team, a company; groups lie in groups. */
export const contactGroup = nestedGroup('tenancy.contactgroup', {
  path: 'contact-groups',
  label: 'contact group',
  brief: ['contact_count'],
  counts: { contact_count: countBelow('tenancy.contact', 'groups') },
  filters: { contact_id: path('<tenancy.contact.groups') },
  // As in the reference: groups at the top may share a name, and slugs are free.
  unique: [{ fields: ['parent', 'name'], where: 'parent_id is not null' }],
});
