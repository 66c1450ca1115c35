import { readQuery } from '@cadastre/body';
import { members } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  detail,
  type Engine,
  MEDIA,
  pageLink,
  pageOf as pageSchema,
  pageParameters,
  parseQuery,
  refuse,
} from '@cadastre/rest';
import { device } from '../../models/devices/device.ts';
import { rack } from '../../models/racks/rack.ts';
import { rackReservation } from '../../models/racks/rackReservation.ts';
import { MEDIA_TYPES, renderedHeaders } from '../render.ts';
import { type Shown, visible } from '../visible.ts';
import { type Drawn, draw, type Reserved } from './drawing.ts';
import { PARAMETERS, parseWanted, type Wanted } from './parameters.ts';
import { type Colored, standingIn } from './standing.ts';
import { type Frame, matching, type Seen, type Standing, UNIT, unitsOf, unitText } from './units.ts';

const METHODS = 'GET, HEAD, OPTIONS';

/**
 * GET /api/dcim/racks/<id>/elevation/: the units of a rack and what stands in them, as pages of JSON or as a drawing.
 */
export const elevation = (engine: Engine): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: {
    GET: {
      summary: 'Get the units of a rack and what stands in them',
      parameters: [...PARAMETERS, ...pageParameters],
      answer: pageSchema(UNIT),
      also: [MEDIA_TYPES.svg],
    },
  },
  async handle(request, id) {
    if (id === null || !/^\d{1,18}$/.test(id)) throw refuse(404, 'Not found.');
    const wanted = parseWanted(readQuery(request.search, engine.settings.maxParameters));
    const frame = await frameOf(engine, id, request);
    const all = (await standingIn(engine, [Number(id)])).get(Number(id))!;
    const standing = all.filter((s) => s.id !== wanted.exclude);
    const body = await (wanted.render === 'svg' ? drawingOf : pageOf)(engine, id, wanted, frame, standing, request);
    return { status: 200, headers: { Allow: METHODS, ...renderedHeaders(wanted.render) }, body };
  },
});

/** @throws Refusal 404 for a rack that is not there or may not be seen */
async function frameOf(engine: Engine, id: string, { who, base }: ApiRequest): Promise<Frame> {
  const { text } = await detail(
    engine,
    rack,
    id,
    parseQuery('fields=u_height,starting_unit,desc_units', engine.settings),
    who,
    base,
  );
  const {
    u_height: height,
    starting_unit: first,
    desc_units: descending,
  } = JSON.parse(text) as { u_height: number; starting_unit: number; desc_units: boolean };
  return { height, first, descending };
}

async function pageOf(
  engine: Engine,
  id: string,
  wanted: Wanted,
  frame: Frame,
  standing: readonly Standing[],
  request: ApiRequest,
): Promise<string> {
  const brief = members(device, 'brief');
  const devices = await visible(engine, device, `rack_id=${id}&position__gt=0&fields=${brief.join(',')}`, request);
  const seen = new Map(
    devices.map((d): [number, Seen] => [
      d.id,
      {
        brief: JSON.stringify(Object.fromEntries(brief.map((name) => [name, d[name]]))),
        name: d['name'] as string | null,
      },
    ]),
  );
  const units = matching(unitsOf(frame, standing, wanted.face, wanted.expandDevices), wanted.q);
  const { page, all } = parseQuery(request.search, engine.settings);
  const here = request.base + request.path;
  const { limit, offset } = page.mode === 'offset' ? page : { limit: page.limit, offset: 0 };
  const shown = limit ? units.slice(offset, offset + limit) : units;
  const next =
    limit && offset + limit < units.length
      ? pageLink(here, all, { limit: String(limit), offset: String(offset + limit) })
      : null;
  const previous =
    limit && offset > 0
      ? pageLink(here, all, { limit: String(limit), offset: offset > limit ? String(offset - limit) : null })
      : null;
  return `{"count":${units.length},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${shown.map((unit) => unitText(unit, wanted.face, seen)).join(',')}]}`;
}

async function drawingOf(
  engine: Engine,
  id: string,
  wanted: Wanted,
  frame: Frame,
  standing: readonly Colored[],
  request: ApiRequest,
): Promise<string> {
  const [devices, reservations] = await Promise.all([
    visible(
      engine,
      device,
      `rack_id=${id}&position__gt=0&fields=id,display,display_url,role,device_type,asset_tag,serial`,
      request,
    ),
    visible(engine, rackReservation, `rack_id=${id}&fields=id,display,units,user,description`, request),
  ]);
  const byId = new Map(standing.map((s) => [s.id, s]));
  const drawn = new Map(
    devices.flatMap((d): [number, Drawn][] => {
      const place = byId.get(d.id);
      return place ? [[d.id, drawnOf(d, place, wanted, request.base)]] : [];
    }),
  );
  const reserved = reservations.map(
    (r): Reserved => ({
      units: r['units'] as number[],
      title: `${r['description']} (${(r['user'] as Shown).display})`,
    }),
  );
  return draw({ frame, face: wanted.face, sizes: wanted.sizes, standing, drawn, reserved });
}

function drawnOf(d: Shown, place: Colored, { face, includeImages }: Wanted, base: string): Drawn {
  const image = face === 'front' ? place.frontImage : place.rearImage;
  const lines = [
    d.display,
    `Role: ${(d['role'] as Shown).display}`,
    `Device type: ${(d['device_type'] as Shown).display} (${place.height}U)`,
    d['asset_tag'] && `Asset tag: ${String(d['asset_tag'])}`,
    d['serial'] && `Serial: ${String(d['serial'])}`,
  ];
  return {
    label: d.display,
    title: lines.filter(Boolean).join('\n'),
    href: String(d['display_url']),
    color: place.color,
    image: includeImages && image ? base + MEDIA + image : null,
  };
}
