import { bar, html, nothing, numberText, type Panel } from '@cadastre/pages';
import { networksOf } from '@cadastre/model';
import { netOf } from './space/blocks.ts';
import { cellsOf, MOST_CELLS } from './space/cells.ts';
import { addAddress, addressMap } from './space/map.ts';
import type { Prefix } from './space/prefixes.ts';
import { hostOf, type Range, spanOfRange, usedIn } from './space/used.ts';
import { say } from './texts/say.ts';

/** How far a range is in use, and its addresses one by one where they are few. */
const utilization: Panel = {
  on: 'ipam.iprange',
  as: 'panel',
  name: 'utilization',
  title: 'Utilization',
  async render(view) {
    const { api, object, may } = view;
    const range = object as Range & Pick<Prefix, 'vrf' | 'tenant'>;
    const { family, length } = netOf(range.start_address);
    const span = spanOfRange(range);
    const size = span.last - span.first + 1n;
    const small = size <= MOST_CELLS;
    const [used, mayAdd] = await Promise.all([
      usedIn(api, networksOf(family, span), range.vrf?.id ?? null, small ? 2 : 1),
      may('add', 'ipam.ipaddress'),
    ]);
    const hosts = new Set(used.addresses.map(({ address }) => hostOf(address))).size;
    const taken = used.count > used.addresses.length ? used.count : hosts;
    const share = range.mark_utilized ? 100 : Math.min(100, (taken / Number(size)) * 100);
    const map = small
      ? addressMap(
          {
            label: say('Addresses of {name}', { name: range.display }),
            cells: cellsOf(family, span, { ...used, ranges: [] }, false),
            add: mayAdd && !range.mark_populated ? addAddress(length, range.vrf?.id, range.tenant?.id) : undefined,
          },
          view,
        )
      : nothing;
    return html`<p>${bar(share, say('{count} of {all} addresses', { count: numberText(taken), all: numberText(size) }))}</p>${map}`;
  },
};

export const panels: readonly Panel[] = [utilization];
