import {
  bar,
  html,
  type Html,
  type Listed,
  listed,
  MOST,
  type Panel,
  type PanelView,
  search,
  type Shown,
} from '@cadastre/pages';
import { say } from './texts/say.ts';
import { freeIn, type VlanRow, vlanRows } from './vlans/numbers.ts';

type Vlan = Shown & { vid: number; name: string; status: never; role: Shown | null; description: string };

/**
 * The free numbers: known from the VLANs of the group where this user sees all of them, and else from the API, as many
 * as a page has.
 */
async function freeOf({ api, object }: PanelView, { results, count }: Listed<Vlan>): Promise<number[]> {
  if (count === results.length && count === Number(object['vlan_count']))
    return freeIn(
      object['vid_ranges'] as [number, number][],
      results.map(({ vid }) => vid),
    );
  const path = `/api/ipam/vlan-groups/${object.id}/available-vlans/?limit=${MOST}`;
  try {
    return (await api.get<{ vid: number }[]>(path)).map(({ vid }) => vid);
  } catch (error) {
    // A user who may not see VLANs is not shown their numbers either.
    if ((error as { status?: unknown }).status === 403) return [];
    throw error;
  }
}

/** The numbers of a group: its VLANs, and what is free between them. */
const numbers: Panel = {
  on: 'ipam.vlangroup',
  as: 'tab',
  name: 'vlans',
  title: 'VLANs',
  async render(view) {
    const { api, object, may, pageOf, shown } = view;
    const [vlans, mayAdd] = await Promise.all([
      listed<Vlan>(api, '/api/ipam/vlans/', {
        group_id: object.id,
        ordering: 'vid',
        fields: 'id,url,display,vid,name,status,role,tenant,description',
      }),
      may('add', 'ipam.vlan'),
    ]);
    const available = await freeOf(view, vlans);
    const known = Math.min(
      available.length !== MOST ? Number.POSITIVE_INFINITY : available.at(-1)!,
      vlans.count > vlans.results.length ? vlans.results.at(-1)!.vid : Number.POSITIVE_INFINITY,
    );
    const rows = vlanRows(
      vlans.results.filter(({ vid }) => vid <= known),
      available.filter((vid) => vid <= known),
    );
    const row = (one: VlanRow<Vlan>): Html => {
      if ('one' in one)
        return html`<tr><th scope="row">${one.vid}</th><td><a href="${pageOf(one.one.url) ?? ''}">${one.one.name}</a></td><td>${shown(one.one.status)}</td><td>${shown(one.one.role)}</td><td>${one.one.description}</td></tr>`;
      const { vid, last } = one;
      const text = last === vid ? `${vid}` : `${vid}–${last}`;
      const add = `/ipam/vlans/add/?${search({ group: object.id, vid })}`;
      return html`<tr class="free"><th scope="row">${mayAdd ? html`<a href="${add}" aria-label="${say('Add VLAN {number}', { number: vid })}">${text}</a>` : text}</th><td colspan="4"><span class="faint">${last === vid ? say('Free') : say('{count} free', { count: last - vid + 1 })}</span></td></tr>`;
    };
    const more = Number.isFinite(known)
      ? html`<p class="faint">${say('Numbers after {number} are not shown:', { number: known })} <a href="/ipam/vlans/?group_id=${object.id}">${say('all VLANs of this group')}</a>.</p>`
      : html``;
    return html`<p>${bar(Number(object['utilization'] ?? 0), say('{count} of {all} numbers', { count: Number(object['vlan_count']), all: Number(object['total_vlan_ids']) }))}</p><div class="scroll" tabindex="0" role="region" aria-label="${say('Numbers of {name}', { name: object.display })}"><table class="list space"><thead><tr>${[say('VLAN'), say('Name'), say('Status'), say('Role'), say('Description')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(row)}</tbody></table></div>${more}`;
  },
};

export const panels: readonly Panel[] = [numbers];
