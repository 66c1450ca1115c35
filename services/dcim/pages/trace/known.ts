import { listedById, numberText, type PageView, type Shown } from '@cadastre/pages';
import type { PathDetails, KnownCable } from '../../actions/trace/pathDetails.ts';
import { CABLE, keyOf, type Node } from '../../models/cabling/plant.ts';
import { say } from '../texts/say.ts';
import { nodeOf, type Path } from './path.ts';

type End = { object_type: string; object_id: number };
type Cable = Shown & {
  type: string | null;
  status: { value: string };
  label: string;
  color: string;
  length: number | null;
  length_unit: { value: string } | null;
  description: string;
  a_terminations: End[];
  b_terminations: End[];
};

const METRES: Readonly<Record<string, number>> = {
  km: 1000,
  m: 1,
  cm: 0.01,
  mi: 1609.344,
  ft: 0.3048,
  in: 0.0254,
};

function knownCable(one: Cable): KnownCable {
  const { id, type, status, label, color, length, length_unit: unit, description } = one;
  const metres = METRES[unit?.value ?? ''];
  return {
    id,
    type,
    status: status.value,
    label,
    color: /^[0-9a-f]{6}$/i.test(color) ? color : '',
    length,
    unit: unit?.value ?? null,
    metres: length === null || metres === undefined ? null : Number(length) * metres,
    description,
    ends: new Set(
      [...one.a_terminations, ...one.b_terminations].map((end) => keyOf({ type: end.object_type, id: end.object_id })),
    ),
  };
}

const POWER_FEED = 'dcim.powerfeed';
const DEVICE = 'dcim.device';
const PANEL = 'dcim.powerpanel';

type Viewing = Pick<PageView, 'api' | 'pageOf' | 'typeLabel' | 'choiceLabel'>;

/** What is shown of the objects on paths: a list for each kind of object, however many paths there are. */
export async function knownOf(view: Viewing, paths: readonly Path[]): Promise<PathDetails> {
  const { api, pageOf, typeLabel, choiceLabel } = view;
  const briefs = new Map(paths.flatMap((path) => [...path.briefs]));
  const nodes = paths.flatMap(({ traced }) => traced.segments.flatMap((one) => [one.near, one.cables, one.far].flat()));
  const idsOf = (type: string): number[] => nodes.flatMap((node) => (node.type === type ? node.id : []));
  const devices = [...briefs.values()].flatMap((brief) => (brief['device'] as Shown | undefined)?.id ?? []);
  const [seen, cables, feeds] = await Promise.all([
    listedById(api, '/api/dcim/devices/', devices, {
      fields: 'id,url,display,name,role,device_type,site,location,rack,position,status',
    }),
    listedById<Cable>(api, '/api/dcim/cables/', idsOf(CABLE)),
    listedById(api, '/api/dcim/power-feeds/', idsOf(POWER_FEED), { fields: 'id,power_panel' }),
  ]);
  const roles = await listedById(
    api,
    '/api/dcim/device-roles/',
    [...seen.values()].map((one) => (one['role'] as Shown).id),
    { fields: 'id,color' },
  );
  const panels = [...feeds.values()].map((feed) => [feed.id, feed['power_panel'] as Shown] as const);
  const urls = new Map([...briefs].map(([key, { url }]) => [key, url]));
  for (const [, panel] of panels) {
    briefs.set(keyOf({ type: PANEL, id: panel.id }), panel);
    urls.set(keyOf({ type: PANEL, id: panel.id }), panel.url);
  }
  for (const brief of briefs.values())
    for (const name of ['device', 'circuit']) {
      const holder = brief[name] as Shown | undefined;
      if (holder) urls.set(keyOf(nodeOf(holder.url)), holder.url);
    }
  for (const { id, url } of cables.values()) urls.set(keyOf({ type: CABLE, id }), url);
  return {
    brief: (node: Node) => briefs.get(keyOf(node)),
    details: new Map([...seen.values()].map((one) => [keyOf({ type: DEVICE, id: one.id }), one])),
    colors: new Map(
      [...seen.values()].flatMap(({ id, role }) => {
        const color = String(roles.get((role as Shown).id)?.['color'] ?? '');
        return /^[0-9a-f]{6}$/i.test(color) ? [[id, color] as const] : [];
      }),
    ),
    panels: new Map(panels.map(([feed, panel]) => [feed, panel.id])),
    cables: new Map([...cables].map(([id, one]) => [id, knownCable(one)])),
    ways: [],
    href(node) {
      const url = urls.get(keyOf(node));
      return (url && pageOf(url)) ?? '';
    },
    label: typeLabel,
    words: { say, choice: choiceLabel, number: numberText },
  };
}
