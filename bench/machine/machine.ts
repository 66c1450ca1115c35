import { cpus, loadavg } from 'node:os';
import { read } from './processes.ts';

/** How the processors' time has been spent since the machine started, in hundredths of a second. */
export interface Times {
  all: number;
  idle: number;
  stolen: number;
}

/** The first line of /proc/stat. Time of guests is part of user's. */
export function parseTimes(text: string): Times {
  const fields = (/^cpu +(.+)$/m.exec(text)?.[1] ?? '').split(' ').map(Number).slice(0, 8);
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = fields;
  return { all: fields.reduce((sum, field) => sum + field, 0), idle: idle + waiting, stolen };
}

/**
 * How a machine spent its time between two readings: the share that was busy, and the share stolen by other virtual
 * machines.
 */
export function shares(before: Times, after: Times): { busy: number; stolen: number } {
  const all = after.all - before.all || 1;
  const stolen = (after.stolen - before.stolen) / all;
  return { busy: 1 - (after.idle - before.idle) / all - stolen, stolen };
}

/** Starts to watch the machine; the returned function describes in a line how busy it has been since. */
export function watchMachine(): () => string {
  const times = () => parseTimes(read('/proc/stat'));
  const load = () => loadavg()[0]!.toFixed(1);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const before = times();
  const loadBefore = load();
  return () => {
    const now = times();
    const { busy, stolen } = shares(before, now);
    const processors = now.all > 0 ? `; busy ${percent(busy)}, stolen ${percent(stolen)} of the time` : '';
    return `machine: ${cpus().length} cores; load average ${loadBefore} before, ${load()} after${processors}`;
  };
}
