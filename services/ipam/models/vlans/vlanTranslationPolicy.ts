import {
  comments,
  description,
  type Field,
  labels,
  model,
  owner,
  primary,
  referrers,
  text,
  timestamps,
} from '@cadastre/model';

/** What is kept and searched by, but not shown. */
export const unseen = (): Record<string, Field> =>
  Object.fromEntries(
    Object.entries({ ...labels(), ...timestamps() }).map(([name, field]) => [name, { ...field, hidden: true }]),
  );

/** How the VLAN numbers of two sides correspond. */
export const vlanTranslationPolicy = model('ipam.vlantranslationpolicy', {
  path: 'vlan-translation-policies',
  label: 'VLAN translation policy',
  plural: 'VLAN translation policies',
  ordering: ['name'],
  features: primary,
  displayPath: false,
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, unique: true }),
    ...description(),
    rules: referrers('ipam.vlantranslationrule', 'policy'),
    ...owner(),
    ...comments(),
    ...unseen(),
  },
});
