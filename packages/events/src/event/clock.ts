// `performance.now()` gives the microseconds within a millisecond of the wall clock. It does not follow corrections of
// the wall clock, nor the time that a machine slept, so each call adjusts it to the wall clock.
let ahead = 0;

/**
 * The current time by the machine's clock, in whole microseconds since 1970. Within a millisecond it agrees between all
 * processes of a machine, PostgreSQL included.
 */
export function nowMicros(): number {
  const wall = Date.now() * 1_000;
  const fine = Math.round((performance.timeOrigin + performance.now()) * 1_000);
  if (fine + ahead < wall) ahead = wall - fine;
  else if (fine + ahead > wall + 999) ahead = wall + 999 - fine;
  return fine + ahead;
}

/** A moment in ISO 8601, UTC, with microseconds. */
export const isoOf = (micros: number): string =>
  `${new Date(Math.floor(micros / 1_000)).toISOString().slice(0, -1)}${String(micros % 1_000).padStart(3, '0')}Z`;

/** Microseconds since 1970 of a moment in ISO 8601. */
export const microsOf = (iso: string): number =>
  Date.parse(iso) * 1_000 + Number((/\.\d{3}(\d{1,3})/.exec(iso)?.[1] ?? '0').padEnd(3, '0'));
