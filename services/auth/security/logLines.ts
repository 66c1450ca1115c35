import type { Log } from '@cadastre/service/log';
import { type SecurityEvent, valuesOf } from '../models/rights/securityEvent.ts';

/** An event as a line of the log has it: as it is stored, without what is empty. */
const lineOf = (event: SecurityEvent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(valuesOf(event)).filter(
      ([name, value]) => value !== '' && value !== null && name !== 'time' && name !== 'user_type',
    ),
  );

/** Writes a log line for each event, for systems that collect logs. */
export function writeLogLines(log: Pick<Log, 'info'>, events: readonly SecurityEvent[]): void {
  for (const event of events) log.info({ security: lineOf(event) }, 'security event');
}
