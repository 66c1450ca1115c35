import { countBelow, nestedGroup } from '@cadastre/model';

/** Tenants that belong together; groups lie in groups. */
export const tenantGroup = nestedGroup('tenancy.tenantgroup', {
  path: 'tenant-groups',
  label: 'tenant group',
  brief: ['tenant_count'],
  counts: { tenant_count: countBelow('tenancy.tenant', 'group') },
  unique: 'everywhere',
});
