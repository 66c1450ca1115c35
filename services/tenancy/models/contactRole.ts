import { model, primary, primaryFields, slug, text } from '@cadastre/model';

/** What a contact does for an object: technical, billing … */
export const contactRole = model('tenancy.contactrole', {
  path: 'contact-roles',
  label: 'contact role',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...primaryFields(),
  },
});
