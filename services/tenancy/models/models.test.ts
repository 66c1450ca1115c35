import { expect, test } from '@jest/globals';
import { Catalogue } from '@cadastre/model';
import type { RuleContext } from '@cadastre/model';
import { contactAssignment, hasContacts, hasRole } from './contactAssignment.ts';
import { tenant } from './tenant.ts';
import { tenantGroup } from './tenantGroup.ts';

const catalogue = new Catalogue([{ service: 'tenancy', models: [tenant, tenantGroup] }]);

test('tenants are filtered by group with everything below, and by their contacts', () => {
  const filters = catalogue.filtersOf(tenant);
  expect(filters['group']).toMatchObject({ by: 'slug', tree: true });
  expect(filters['contact_group']).toMatchObject({
    path: ['<tenancy.contactassignment.object', 'contact', 'groups'],
    tree: true,
  });
  expect(catalogue.filtersOf(tenantGroup)).not.toHaveProperty('contact');
});

test('counts of models that do not exist yet ask for no replica', () => {
  expect(catalogue.replicas('tenancy')).toEqual(new Map());
});

test('the slug of a tenant is unique within its group', () => {
  expect(tenant.unique.filter((u) => u.fields.includes('slug')).map((u) => u.message)).toEqual([
    'Tenant slug must be unique per group.',
    'Tenant slug must be unique per group.',
  ]);
});

test('contacts are assigned to objects that have some, in a role', () => {
  const context = {
    featuresOf: (type: string) =>
      type === 'dcim.site' ? new Set(['contacts']) : type === 'dcim.cable' ? new Set() : undefined,
  } as unknown as RuleContext;
  const said = (type: string) => hasContacts({ object_type: type }, context);
  expect([said('dcim.site'), hasRole({ role: 1 }, context)]).toEqual([undefined, undefined]);
  expect([said('dcim.cable'), said('dcim.bogus')]).toEqual([
    { __all__: ['Contacts cannot be assigned to this object type (dcim.cable).'] },
    { __all__: ['Contacts cannot be assigned to this object type (dcim.bogus).'] },
  ]);
  expect(hasRole({ role: null }, context)).toEqual({ role: ['This field cannot be null.'] });
});

test('an assignment is called by its contact, priority and object', () => {
  const { text } = contactAssignment.display;
  expect([text(['secondary'], ['Bob', 'BER1']), text([''], ['Bob', null]), text(['gone'], ['Bob', 'BER1'])]).toEqual([
    'Bob (Secondary) -> BER1',
    'Bob -> ',
    'Bob (gone) -> BER1',
  ]);
});
