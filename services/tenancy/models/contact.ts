import { email, model, primary, primaryFields, refs, text, url } from '@cadastre/model';

/** Somebody who can be reached about objects. */
export const contact = model('tenancy.contact', {
  path: 'contacts',
  pages: {
    columns: ['groups', 'title', 'phone', 'email', 'address', 'description'],
    groups: { 'Contact details': ['title', 'phone', 'email', 'address', 'link'] },
  },
  label: 'contact',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'title', 'phone', 'email', 'address', 'link', 'description', 'comments'],
  fields: {
    groups: refs('tenancy.contactgroup'),
    name: text({ max: 100, natural: true }),
    title: text({ max: 100, optional: true }),
    phone: text({ max: 50, optional: true }),
    email: email({ optional: true }),
    address: text({ max: 200, optional: true }),
    link: url({ optional: true }),
    ...primaryFields(),
  },
});
