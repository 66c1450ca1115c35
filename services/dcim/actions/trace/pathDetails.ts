import { type ApiRequest, briefsOf, type Engine, type Named, rowsOf } from '@cadastre/rest';
import { device } from '../../models/devices/device.ts';
import { keyOf, FRONT_PORT, REAR_PORT } from '../../models/cabling/plant.ts';
import { powerPanel } from '../../models/power/powerPanel.ts';
import { type Shown, visible } from '../visible.ts';
import type { Traced } from './segments.ts';
import { ENGLISH, type TraceWords } from './words.ts';

/** A cable on a path, and which ports (of the path or not) it is attached to. */
export interface KnownCable {
  id: number;
  type: string | null;
  status: string;
  label: string;
  color: string;
  length: number | null;
  unit: string | null;
  metres: number | null;
  description: string;
  ends: ReadonlySet<string>;
}

/** What is shown of the objects on a path. */
export interface PathDetails {
  /** An object in its brief form, if it is there. */
  brief(object: Named): Shown | undefined;
  /** Devices and power panels that the requester may view, by key. */
  details: ReadonlyMap<string, Shown>;
  /** Colours of the roles of devices, by id of the device. */
  colors: ReadonlyMap<number, string>;
  /** Panels of power feeds, by id of the feed. */
  panels: ReadonlyMap<number, number>;
  cables: ReadonlyMap<number, KnownCable>;
  /** Ports behind that where a path splits, as far as they may be viewed. */
  ways: readonly (Shown & { type: string })[];
  /** Where an object is on the web, and what its type is called. */
  href(object: Named): string;
  label(type: string): string;
  /** The texts of the drawing. */
  words: TraceWords;
}

const POWER_FEED = 'dcim.powerfeed';

/**
 * Loads the details that a drawing of a path shows, with one statement or list for each kind of object, however long
 * the path is.
 */
export async function loadPathDetails(
  engine: Engine,
  from: Named,
  { segments, split }: Traced,
  request: ApiRequest,
): Promise<PathDetails> {
  const { catalogue } = engine;
  const ends = [from, ...segments.flatMap(({ near, far }) => [...near, ...far])];
  const panels = await panelsOf(engine, ends);
  const texts = await briefsOf(
    await engine.readContext(),
    [...ends, ...[...panels.values()].map((id) => ({ type: powerPanel.name, id }))],
    request.base,
  );
  const parsed = new Map<string, Shown | undefined>();
  const brief = (object: Named): Shown | undefined => {
    const key = keyOf(object);
    if (!parsed.has(key)) {
      const text = texts(object);
      parsed.set(key, text === undefined ? undefined : (JSON.parse(text) as Shown));
    }
    return parsed.get(key);
  };
  const devices = [...new Set(ends.flatMap((end) => (brief(end)?.['device'] as Shown | undefined)?.id ?? []))];
  const [seenDevices, seenPanels, cables, ways] = await Promise.all([
    devices.length
      ? visible(
          engine,
          device,
          `${idsOf(devices)}&fields=id,display,role,device_type,site,location,rack,position,status`,
          request,
        )
      : [],
    panels.size
      ? visible(engine, powerPanel, `${idsOf(panels.values())}&fields=id,display,site,location`, request)
      : [],
    cablesOf(
      engine,
      segments.flatMap((segment) => segment.cables),
    ),
    split ? waysOf(engine, segments.at(-1)?.far ?? [], request) : [],
  ]);
  return {
    brief,
    panels,
    cables,
    ways,
    colors: await colorsOf(
      engine,
      seenDevices.map(({ id }) => id),
    ),
    details: new Map([
      ...seenDevices.map((d) => [keyOf({ type: device.name, id: d.id }), d] as const),
      ...seenPanels.map((p) => [keyOf({ type: powerPanel.name, id: p.id }), p] as const),
    ]),
    href({ type, id }) {
      const { app, path, displayPath } = catalogue.get(type);
      return `${request.base}/${displayPath === false ? `api/${app}/${path}` : displayPath || `${app}/${path}`}/${id}/`;
    },
    label: (type) => catalogue.get(type).label,
    words: ENGLISH,
  };
}

const idsOf = (ids: Iterable<number>): string => [...new Set(ids)].map((id) => `id=${id}`).join('&');

async function panelsOf({ pool, tables }: Engine, ends: readonly Named[]): Promise<Map<number, number>> {
  const feeds = ends.flatMap(({ type, id }) => (type === POWER_FEED ? id : []));
  const rows = feeds.length
    ? await rowsOf(pool, {
        text: `select t.id, t.power_panel_id from ${tables.nameOf(POWER_FEED)} t where t.id = any($1::bigint[])`,
        values: [feeds],
      })
    : [];
  return new Map(rows.map(([feed, panel]) => [Number(feed), Number(panel)]));
}

async function colorsOf({ pool, tables }: Engine, devices: readonly number[]): Promise<Map<number, string>> {
  const rows = devices.length
    ? await rowsOf(pool, {
        text: `select d.id, r.color from ${tables.nameOf(device.name)} d join ${tables.nameOf('dcim.devicerole')} r on r.id = d.role_id where d.id = any($1::bigint[])`,
        values: [devices],
      })
    : [];
  return new Map(rows.flatMap(([id, color]) => (color ? [[Number(id), color]] : [])));
}

async function cablesOf({ pool, tables }: Engine, cables: readonly Named[]): Promise<Map<number, KnownCable>> {
  const rows = cables.length
    ? await rowsOf(pool, {
        text: `select t.id, t.type, t.status, t.label, t.color, t.length::float8, t.length_unit, t._abs_length::float8, t.description,
      array_to_json(array(select e.termination_type || ':' || e.termination_id from ${tables.nameOf('dcim.cabletermination')} e where e.cable_id = t.id)) from ${tables.nameOf('dcim.cable')} t where t.id = any($1::bigint[])`,
        values: [cables.map(({ id }) => id)],
      })
    : [];
  const number = (cell: string | null | undefined): number | null => (cell == null ? null : Number(cell));
  return new Map(
    rows.map(([id, type, status, label, color, length, unit, metres, description, ends]) => [
      Number(id),
      {
        id: Number(id),
        type: type ?? null,
        status: status!,
        label: label!,
        color: color!,
        length: number(length),
        unit: unit ?? null,
        metres: number(metres),
        description: description!,
        ends: new Set(JSON.parse(ends!) as string[]),
      },
    ]),
  );
}

/** The most positions of ports that are looked at where a path splits. */
const MOST_WAYS = 1_024;

/** The ports behind front or rear ports. */
async function waysOf(
  engine: Engine,
  ports: readonly Named[],
  request: ApiRequest,
): Promise<(Shown & { type: string })[]> {
  const found = await Promise.all(
    (
      [
        [FRONT_PORT, 'front', 'rear', REAR_PORT],
        [REAR_PORT, 'rear', 'front', FRONT_PORT],
      ] as const
    ).map(async ([type, here, there, other]) => {
      const ids = ports.flatMap((port) => (port.type === type ? port.id : []));
      const rows = ids.length
        ? await rowsOf(engine.pool, {
            text: `select distinct m.${there}_port_id from ${engine.tables.nameOf('dcim.portmapping')} m where m.${here}_port_id = any($1::bigint[]) order by 1 limit ${MOST_WAYS}`,
            values: [ids],
          })
        : [];
      const shown = rows.length
        ? await visible(
            engine,
            engine.catalogue.get(other),
            `${idsOf(rows.map(([id]) => Number(id)))}&fields=id,display,name`,
            request,
          )
        : [];
      return shown.map((port) => ({ ...port, type: other }));
    }),
  );
  return found.flat();
}
