import { html, type Html, nothing, type PageView, search } from '@cadastre/pages';
import type { Said } from '../texts/de.ts';
import { say } from '../texts/say.ts';
import type { Cell } from './cells.ts';

export interface Map {
  label: string;
  cells: readonly Cell[];
  /** Link to a form for a free address; undefined where none may be made. */
  add: ((address: string) => string) | undefined;
}

const KINDS: readonly (readonly [Cell['kind'], Said])[] = [
  ['used', 'In use'],
  ['kept', 'Reserved or deprecated'],
  ['range', 'In a range'],
  ['end', 'Network and broadcast'],
  ['free', 'Free'],
];

/** Link to a form for an address in the routing table of the surrounding object. */
export const addAddress =
  (length: number, vrf: number | undefined, tenant?: number): ((address: string) => string) =>
  (address) =>
    `/ipam/ip-addresses/add/?${search({ address: `${address}/${length}`, vrf, tenant })}`;

function said({ text, addresses, range, kind }: Cell, { choiceLabel }: PageView): string {
  const [first] = addresses;
  if (!first)
    return `${text}: ${range ? say('range {name}', { name: range.display }) : kind === 'end' ? say('not for hosts') : say('free')}`;
  const at = first.assigned_object;
  const holder = at && (at.device ?? at.virtual_machine);
  return [
    `${text}: ${choiceLabel(first.status.label)}`,
    first.dns_name,
    at && [holder?.display, at.display].filter(Boolean).join(' '),
    first.description,
    addresses.length > 1 && say('and {count} more', { count: addresses.length - 1 }),
  ]
    .filter(Boolean)
    .join(', ');
}

function cell(one: Cell, { add }: Map, view: PageView): Html {
  const { kind, short, text, addresses, range } = one;
  const target = addresses[0] ?? (kind === 'range' ? range : undefined);
  const href = target ? view.pageOf(target.url) : kind === 'end' ? undefined : add?.(text);
  const about = said(one, view);
  return href
    ? html`<li class="${kind}"><a href="${href}" title="${about}" aria-label="${about}">${short}</a></li>`
    : html`<li class="${kind}"><span title="${about}">${short}</span></li>`;
}

/** Addresses one by one: each is a link to the object that has it, or to a form for it. */
export function addressMap(map: Map, view: PageView): Html {
  const counts = KINDS.map(
    ([kind, label]) => [kind, label, map.cells.filter((one) => one.kind === kind).length] as const,
  );
  const next = map.cells.find(({ kind }) => kind === 'free');
  const first =
    next && map.add
      ? html`<p><a class="button" href="${map.add(next.text)}">${say('Add the first free address, {address}', { address: next.text })}</a></p>`
      : nothing;
  return html`<div class="address-map">${first}<ul class="legend">${counts.map(([kind, label, count]) => (count ? html`<li class="${kind}"><span class="sample" aria-hidden="true"></span>${say(label)} <strong>${count}</strong></li>` : nothing))}</ul><ol class="cells" aria-label="${map.label}">${map.cells.map((one) => cell(one, map, view))}</ol></div>`;
}
