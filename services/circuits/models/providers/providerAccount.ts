import { annotated, model, primaryFields, ref, text, withContacts } from '@cadastre/model';

/** The number under which a provider knows its customer. */
export const providerAccount = model('circuits.provideraccount', {
  path: 'provider-accounts',
  pages: { columns: ['provider', 'account', 'description'] },
  label: 'provider account',
  ordering: ['provider', 'account'],
  features: withContacts,
  brief: ['name', 'account', 'description'],
  nested: ['name', 'account'],
  search: ['name', 'account', 'description', 'comments'],
  key: 'account',
  display: annotated('account', 'name'),
  fields: {
    provider: ref('circuits.provider'),
    name: text({ max: 100, optional: true }),
    account: text({ max: 100 }),
    ...primaryFields(),
  },
  unique: [{ fields: ['provider', 'account'] }, { fields: ['provider', 'name'], where: "name <> ''" }],
});
