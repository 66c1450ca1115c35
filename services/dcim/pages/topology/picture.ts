import { html, type Html, listed, listedById, MOST, nothing, type PageView, type Shown } from '@cadastre/pages';
import type { Said } from '../texts/de.ts';
import { say } from '../texts/say.ts';
import { asTable, drawing } from './drawing.ts';
import { type Cable, type Device, graphOf, type Kind } from './graph.ts';
import { place } from './layout.ts';

/** The most devices that are laid out. */
const MOST_DEVICES = 250;
export const KINDS: readonly (readonly [Kind, Said])[] = [
  ['network', 'Network'],
  ['power', 'Power'],
  ['console', 'Console'],
];

/** The kinds of cables to show; those of the network by default. */
export function kindsIn(query: URLSearchParams): Set<Kind> {
  const given = KINDS.flatMap(([kind]) => (query.getAll('kind').includes(kind) ? [kind] : []));
  return new Set(given.length ? given : ['network']);
}

/** The devices that filters select, and their cables: a list each, and one of their roles. */
export async function picture({ api, pageOf }: PageView, filters: URLSearchParams, kinds: Set<Kind>): Promise<Html> {
  const asked = new URLSearchParams(filters);
  asked.set('limit', String(MOST_DEVICES));
  asked.set('fields', 'id,url,display,role');
  const devices = await api.get<{ count: number; results: Device[] }>(`/api/dcim/devices/?${asked}`);
  if (!devices.results.length) return html`<p class="none">${say('No devices match these filters.')}</p>`;
  const [cables, roles] = await Promise.all([
    listed<Cable>(api, '/api/dcim/cables/', {
      device_id: devices.results.map(({ id }) => id),
      fields: 'id,url,display,label,color,status,a_terminations,b_terminations',
    }),
    listedById<Shown>(
      api,
      '/api/dcim/device-roles/',
      devices.results.map(({ role }) => role.id),
      { fields: 'id,color' },
    ),
  ]);
  const colors = new Map(
    [...roles.values()].flatMap(({ id, color }) =>
      /^[0-9a-f]{6}$/i.test(String(color)) ? [[id, String(color)] as const] : [],
    ),
  );
  const placed = place(graphOf(devices.results, cables.results, colors, kinds));
  const more = [
    devices.count > MOST_DEVICES &&
      say('There are {count} devices; only the first {most} are drawn.', { count: devices.count, most: MOST_DEVICES }),
    cables.count > MOST &&
      say('There are {count} cables; only the first {most} are drawn.', { count: cables.count, most: MOST }),
  ].filter((text) => text !== false);
  return html`${more.map((text) => html`<p class="alert" role="status">${text}</p>`)}<div class="zoom" data-zoom="topology"><div class="tools" hidden><label>${say('Find')} <input type="search" data-find></label><button type="button" data-do="in" aria-label="${say('Larger')}">+</button><button type="button" data-do="out" aria-label="${say('Smaller')}">−</button><button type="button" data-do="fit">${say('All')}</button><button type="button" data-do="save">${say('Save as SVG')}</button></div><div class="scroll view" tabindex="0" role="region" aria-label="${say('Topology')}">${drawing(placed, { pageOf })}</div></div>${devices.results.length ? asTable(placed, { pageOf }) : nothing}`;
}
