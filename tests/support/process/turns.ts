import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from '../system.ts';

/** How often there have been long turns of an event loop, in all processes, by labels: `route="/pages",stage="…"`. */
export type LongTurns = ReadonlyMap<string, number>;

/** The turns that the processes of a system report as longer than EVENT_LOOP_MAX_MS. */
export async function longTurns({ folder }: Pick<System, 'folder'>): Promise<LongTurns> {
  const { services } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as {
    services: { operations?: string }[];
  };
  const turns = new Map<string, number>();
  for (const operations of new Set(services.map((one) => one.operations))) {
    const text = await (await fetch(`${operations}/metrics`)).text();
    for (const [, labels, count] of text.matchAll(/^event_loop_long_turns_total\{(.*)\} (\d+)/gm))
      turns.set(labels!, (turns.get(labels!) ?? 0) + Number(count));
  }
  return turns;
}

/** The turns since then; one line each. */
export const cameSince = (before: LongTurns, after: LongTurns): string[] =>
  [...after].flatMap(([labels, count]) => {
    const more = count - (before.get(labels) ?? 0);
    return more > 0 ? [`${more} × {${labels}}`] : [];
  });
