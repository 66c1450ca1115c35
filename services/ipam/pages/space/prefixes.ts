import { type Api, listed, type Shown } from '@cadastre/pages';
import { type Network, networkText } from '@cadastre/model';
import { type Inside, netOf } from './blocks.ts';

export type Prefix = Shown & {
  prefix: string;
  vrf: Shown | null;
  status: { value: string; label: string };
  role: Shown | null;
  vlan: Shown | null;
  tenant: Shown | null;
  scope: Shown | null;
  scope_type: string | null;
  scope_id: number | null;
  is_pool: boolean;
  mark_utilized: boolean;
  description: string;
};

export const isContainer = ({ status }: Prefix): boolean => status.value === 'container';

/** The routing table in which what is in a prefix is looked for: a container outside any VRF holds those of all. */
export const vrfWithin = (prefix: Prefix): number | null | undefined =>
  prefix.vrf ? prefix.vrf.id : isContainer(prefix) ? undefined : null;

const FIELDS = 'id,url,display,prefix,vrf,status,role,vlan,tenant,is_pool,mark_utilized,description';

export interface Children {
  all: Inside<Prefix>[];
  count: number;
  /** Where the last known one begins, if there are more. */
  upTo: bigint | undefined;
}

/** The prefixes in a network, as many as a page of the API has. */
export async function childrenOf(api: Api, net: Network, vrf: number | null | undefined): Promise<Children> {
  const { results, count } = await listed<Prefix>(api, '/api/ipam/prefixes/', {
    within: networkText(net),
    vrf_id: vrf,
    ordering: 'prefix',
    fields: FIELDS,
  });
  const all = results.map((one) => ({ net: netOf(one.prefix), one }));
  return { all, count, upTo: count > all.length ? all.at(-1)?.net.address : undefined };
}
