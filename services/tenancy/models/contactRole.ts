import { comments, description, labels, model, owner, primary, slug, text, timestamps } from '@cadastre/model';

/** What a contact does for an object: technical, billing … */
export const contactRole = model('tenancy.contactrole', {
  path: 'contact-roles', label: 'contact role', ordering: ['name'], features: primary, brief: ['name', 'slug', 'description'], search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
  },
});
