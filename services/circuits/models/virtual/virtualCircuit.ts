import {
  choice,
  model,
  noContactFilters,
  path,
  primaryFields,
  ref,
  tenantGroupFilters,
  text,
  withContacts,
} from '@cadastre/model';
import { accountOf } from '../circuitRules.ts';
import { circuitStatus } from '../status.ts';

const provider = 'provider_network.provider';

/** A connection through a provider's network between two or more interfaces. */
export const virtualCircuit = model('circuits.virtualcircuit', {
  path: 'virtual-circuits',
  pages: { columns: ['provider_network', 'type', 'status', 'tenant', 'description'] },
  imports: { by: { provider_account: 'account' } },
  label: 'virtual circuit',
  ordering: ['provider_network', 'provider_account', 'cid'],
  features: withContacts,
  brief: ['cid', 'provider_network', 'description'],
  search: ['cid', 'description', 'comments'],
  fields: {
    cid: text({ max: 100 }),
    provider_network: ref('circuits.providernetwork'),
    provider_account: ref('circuits.provideraccount', { optional: true }),
    type: ref('circuits.virtualcircuittype'),
    status: choice(circuitStatus, { default: 'active' }),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...primaryFields(),
  },
  filters: {
    ...tenantGroupFilters(),
    provider_id: path(provider),
    provider: path(provider, 'slug'),
    ...noContactFilters,
  },
  unique: [
    {
      fields: ['provider_network', 'cid'],
      message: 'Virtual circuit with this Provider network and Circuit ID already exists.',
    },
    {
      fields: ['provider_account', 'cid'],
      where: 'provider_account_id is not null',
      message: 'Virtual circuit with this Provider account and Circuit ID already exists.',
    },
  ],
  rules: [
    accountOf(
      async ({ provider_network: network }, { related }) =>
        (await related('circuits.providernetwork', network))?.['provider'],
      'The assigned account must belong to the provider of the assigned network.',
    ),
  ],
});
