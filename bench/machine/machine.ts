import { cpus, loadavg } from 'node:os';
import { read } from './processes.ts';

/** Where the processors' time has gone since the machine began, in hundredths of a second. */
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

/** What a machine did between two looks: how much of it worked for us or others, and how much other machines took. */
export function shares(before: Times, after: Times): { busy: number; stolen: number } {
  const all = after.all - before.all || 1;
  const stolen = (after.stolen - before.stolen) / all;
  return { busy: 1 - (after.idle - before.idle) / all - stolen, stolen };
}

/** Begins to watch the machine; what is returned says in a line how it has been since. */
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
