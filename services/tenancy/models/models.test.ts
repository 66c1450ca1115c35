import { expect, test } from '@jest/globals';
import { Catalogue } from '@cadastre/model';
import { tenant } from './tenant.ts';
import { tenantGroup } from './tenantGroup.ts';

const catalogue = new Catalogue([{ service: 'tenancy', models: [tenant, tenantGroup] }]);

test('tenants are filtered by group with everything below, and by their contacts', () => {
  const filters = catalogue.filtersOf(tenant);
  expect(filters['group']).toMatchObject({ by: 'slug', tree: true });
  expect(filters['contact_group']).toMatchObject({ path: ['<tenancy.contactassignment.object', 'contact', 'groups'], tree: true });
  expect(catalogue.filtersOf(tenantGroup)).not.toHaveProperty('contact');
});

test('counts of models that do not exist yet ask for no replica', () => {
  expect(catalogue.replicas('tenancy')).toEqual(new Map());
});

test('the slug of a tenant is unique within its group', () => {
  expect(tenant.unique.filter((u) => u.fields.includes('slug')).map((u) => u.message)).toEqual(['Tenant slug must be unique per group.', 'Tenant slug must be unique per group.']);
});
