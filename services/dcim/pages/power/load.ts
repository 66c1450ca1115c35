import { type Api, listed, listedById, type Shown } from '@cadastre/pages';

type Ref = Shown & { device?: Shown };
export type Feed = Shown & {
  name: string;
  rack: Shown | null;
  status: { value: string; label: string };
  type: { value: string; label: string };
  phase: { value: string };
  voltage: number;
  amperage: number;
  max_utilization: number;
  connected_endpoints: Ref[] | null;
};
export type Outlet = Shown & {
  name: string;
  device: Shown;
  power_port: { id: number } | null;
  feed_leg: { label: string } | null;
  connected_endpoints: Ref[] | null;
};
export type Inlet = Shown & { name: string; device: Shown; allocated_draw: number | null; maximum_draw: number | null };

/** An outlet, and what is plugged into it. */
export interface Plugged {
  outlet: Outlet;
  inlets: Inlet[];
  watts: number;
}

/** Where power comes in: a port of a PDU or of a device, and the outlets behind it. */
export interface Intake {
  inlet: Inlet | Ref;
  plugged: Plugged[];
  watts: number;
  /** Whether the inlet has an allocated draw of its own; the draw of what is plugged in behind it is then not added. */
  said: boolean;
}

export interface Fed {
  feed: Feed;
  intakes: Intake[];
  watts: number;
  /** What the feed may give at most, in watts. */
  available: number;
}

const THREE_PHASES = 1.732;

export const availableOf = ({ voltage, amperage, max_utilization, phase }: Feed): number =>
  Math.round(
    Math.abs(voltage) * amperage * (max_utilization / 100) * (phase.value === 'three-phase' ? THREE_PHASES : 1),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const isInlet = ({ url }: Shown): boolean => url.includes('/power-ports/');

/** The inlets connected to feeds and their draw: the allocated draw, or else the sum of what is plugged in. */
export function loadOf(feeds: readonly Feed[], inlets: ReadonlyMap<number, Inlet>, outlets: readonly Outlet[]): Fed[] {
  const behind = Map.groupBy(outlets, ({ power_port }) => power_port?.id ?? 0);
  const intakeOf = (end: Ref): Intake => {
    const inlet = inlets.get(end.id);
    const plugged = (behind.get(end.id) ?? []).map((outlet): Plugged => {
      const used = (outlet.connected_endpoints ?? []).filter(isInlet).flatMap(({ id }) => inlets.get(id) ?? []);
      return { outlet, inlets: used, watts: sum(used.map(({ allocated_draw }) => allocated_draw ?? 0)) };
    });
    const own = inlet?.allocated_draw ?? null;
    return { inlet: inlet ?? end, plugged, watts: own ?? sum(plugged.map(({ watts }) => watts)), said: own !== null };
  };
  return feeds.map((feed) => {
    const intakes = (feed.connected_endpoints ?? []).filter(isInlet).map(intakeOf);
    return { feed, intakes, watts: sum(intakes.map(({ watts }) => watts)), available: availableOf(feed) };
  });
}

/** What hangs on feeds: three lists, however many feeds there are. */
export async function fedBy(api: Api, feeds: readonly Feed[]): Promise<Fed[]> {
  const ends = feeds.flatMap((feed) => (feed.connected_endpoints ?? []).filter(isInlet));
  const ids = ends.map(({ id }) => id);
  if (!ids.length) return loadOf(feeds, new Map(), []);
  const devices = [...new Set(ends.flatMap(({ device }) => device?.id ?? []))];
  const outlets = devices.length
    ? (
        await listed<Outlet>(api, '/api/dcim/power-outlets/', {
          device_id: devices,
          fields: 'id,url,display,name,device,power_port,feed_leg,connected_endpoints',
        })
      ).results
    : [];
  const plugged = outlets.flatMap(({ connected_endpoints }) => (connected_endpoints ?? []).filter(isInlet));
  const inlets = await listedById<Inlet>(api, '/api/dcim/power-ports/', [...ids, ...plugged.map(({ id }) => id)], {
    fields: 'id,url,display,name,device,allocated_draw,maximum_draw',
  });
  return loadOf(feeds, inlets, outlets);
}
