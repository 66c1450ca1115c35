import { bar, html, nothing, numberText, type Panel, type Shown } from '@cadastre/pages';
import { bitsOf, networkText, sizeOf, spanOf } from '@cadastre/model';
import { netOf, shareTaken, sizeText } from './space/blocks.ts';
import { cellsOf, MOST_CELLS } from './space/cells.ts';
import { addAddress, addressMap } from './space/map.ts';
import { childrenOf, isContainer, type Prefix, vrfWithin } from './space/prefixes.ts';
import { treeTable } from './space/tree.ts';
import { shareUsed, usedIn } from './space/used.ts';
import { say } from './texts/say.ts';

const isSmall = (object: Shown): boolean => {
  const { family, length } = netOf(object['prefix']);
  return sizeOf(family, length) <= MOST_CELLS;
};

/** The list of the addresses in a prefix. */
function addressesIn(prefix: Prefix): string {
  const vrf = vrfWithin(prefix);
  return `/ipam/ip-addresses/?parent=${networkText(netOf(prefix.prefix))}${vrf === undefined ? '' : `&vrf_id=${vrf}`}`;
}

/** What a new prefix takes over from the one that it is in. */
const inherited = ({ vrf, tenant, scope_type, scope_id }: Prefix) => ({
  vrf: vrf?.id,
  tenant: tenant?.id,
  ...(scope_type && scope_id ? { scope_type, scope_id } : {}),
});

const utilization: Panel = {
  on: 'ipam.prefix',
  as: 'panel',
  name: 'utilization',
  title: 'Utilization',
  async render({ api, object, path }) {
    const prefix = object as Prefix;
    const net = netOf(prefix.prefix);
    const vrf = vrfWithin(prefix);
    const [children, used] = await Promise.all([childrenOf(api, net, vrf), usedIn(api, [net], vrf)]);
    const share = prefix.mark_utilized
      ? 100
      : isContainer(prefix)
        ? shareTaken(
            net,
            children.all.map((one) => spanOf(one.net)),
          )
        : shareUsed(net, used, prefix.is_pool);
    return html`<dl><div><dt>${say('In use')}</dt><dd>${share === undefined ? '–' : bar(share)}</dd></div><div><dt>${say('Size')}</dt><dd>${sizeText(net)}</dd></div><div><dt>${say('Child prefixes')}</dt><dd><a href="${path}prefixes/">${children.count}</a></dd></div><div><dt>${say('Addresses')}</dt><dd><a href="${isSmall(object) ? `${path}ip-addresses/` : addressesIn(prefix)}">${used.count}</a></dd></div></dl>`;
  },
};

const prefixes: Panel = {
  on: 'ipam.prefix',
  as: 'tab',
  name: 'prefixes',
  title: 'Child prefixes',
  has: (object) => {
    const { family, length } = netOf(object['prefix']);
    return length < bitsOf(family);
  },
  async render(view) {
    const { api, object, may } = view;
    const prefix = object as Prefix;
    const root = netOf(prefix.prefix);
    const vrf = vrfWithin(prefix);
    const [children, used, mayAdd] = await Promise.all([
      childrenOf(api, root, vrf),
      usedIn(api, [root], vrf),
      may('add', 'ipam.prefix'),
    ]);
    const given = mayAdd ? inherited(prefix) : undefined;
    return treeTable({ root, children, used, given, vrfs: vrf === undefined }, view);
  },
};

const addresses: Panel = {
  on: 'ipam.prefix',
  as: 'tab',
  name: 'ip-addresses',
  title: 'Addresses',
  has: isSmall,
  otherwise: (object) => addressesIn(object as Prefix),
  async render(view) {
    const { api, object, may } = view;
    const prefix = object as Prefix;
    const net = netOf(prefix.prefix);
    const [used, mayAdd] = await Promise.all([usedIn(api, [net], vrfWithin(prefix), 2), may('add', 'ipam.ipaddress')]);
    const ends = net.family === 4 && bitsOf(4) - net.length > 1 && !prefix.is_pool;
    const more =
      used.count > used.addresses.length
        ? html`<p class="alert" role="status">${say('There are {count} addresses here; only the first {shown} are shown.', { count: numberText(used.count), shown: numberText(used.addresses.length) })}</p>`
        : nothing;
    return html`${more}${addressMap(
      {
        label: say('Addresses of {name}', { name: prefix.prefix }),
        cells: cellsOf(net.family, spanOf(net), used, ends),
        add: mayAdd ? addAddress(net.length, prefix.vrf?.id, prefix.tenant?.id) : undefined,
      },
      view,
    )}`;
  },
};

export const panels: readonly Panel[] = [utilization, prefixes, addresses];
