import { LRUCache } from 'lru-cache';
import { timesShown } from './times.ts';
import { isZone } from './zone.ts';

/** The form field that has the time zone: a script sets the browser's zone unless the user has chosen one. */
export const ZONE = '_zone';

/** The zone in which the times of a form were filled in. */
export const zoneIn = (fields: URLSearchParams): string | undefined => {
  const zone = fields.get(ZONE);
  return zone && isZone(zone) ? zone : undefined;
};

/** The zone of the times in forms. */
export const formZone = (): string => timesShown().zone ?? 'UTC';

/** What a template needs to state the time zone of a form; empty if the form has no times. */
export const zoneOf = (fields: readonly { kind: string }[]): { zone?: string; zoneChosen?: boolean } =>
  fields.some(({ kind }) => kind === 'datetime')
    ? { zone: formZone(), zoneChosen: timesShown().zone !== undefined }
    : {};

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      ...(Object.fromEntries(PARTS.map((part) => [part, 'numeric'])) as Intl.DateTimeFormatOptions),
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** The local time of a zone at a moment, as the milliseconds at which UTC has the same local time. */
function shownAt(at: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day, hour, minute, second] = PARTS.map((part) => parts.get(part)!) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/;

/** A moment as the text of a form field: local time without the zone. A text that is not a moment stays as it is. */
export function localText(text: string, zone: string = formZone()): string {
  const at = Date.parse(text.replace(' ', 'T'));
  if (!MOMENT.test(text) || Number.isNaN(at)) return text;
  return new Date(shownAt(Math.floor(at / 1000) * 1000, zone)).toISOString().slice(0, 19).replace(/:00$/, '');
}

const WHOLE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * The same for every notation of a moment that the API accepts: a date means midnight, and without a zone it is UTC.
 * Undefined if a form field could not give the value back unchanged: for fractions of seconds, and for texts that are
 * no moment.
 */
export function localFilter(text: string): string | undefined {
  const [, day, time = '00:00', zone = 'Z'] = WHOLE.exec(text) ?? [];
  if (day === undefined) return undefined;
  const moment = `${day}T${time}${zone}`;
  return Number.isNaN(Date.parse(moment)) ? undefined : localText(moment);
}

/** The moment for a local time that was typed; a text that names a zone, or is not a time, stays as it is. */
export function instantText(text: string, zone: string = formZone()): string {
  const found = LOCAL.exec(text);
  if (!found) return text;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found.slice(1).map((one) => Number(one ?? 0));
  const wall = Date.UTC(year!, month! - 1, day, hour, minute, second);
  // An impossible date such as the 31st of February is left to the API to refuse.
  if (new Date(wall).toISOString().slice(0, 10) !== `${found[1]}-${found[2]}-${found[3]}` || hour > 23) return text;
  const first = wall - (shownAt(wall, zone) - wall);
  // Around a clock change, the offset at that moment may differ.
  const at = wall - (shownAt(first, zone) - first);
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
