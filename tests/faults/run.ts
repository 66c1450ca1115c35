import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from '@cadastre/model';
import { allChecks } from './checks/all.ts';
import { countsOf, type Shown } from './checks/counts.ts';
import { readWorld } from './checks/read.ts';
import { type Complaint, type Message, rowsOf, type RuleOf } from './checks/world.ts';
import { makeOne, runClient, type ClientOptions } from './load/client.ts';
import { diceOf } from './load/dice.ts';
import type { History } from './load/history.ts';
import { type Kind, kinds } from './load/kinds.ts';
import { drawFaults, letHappen } from './system/faults.ts';
import type { FaultySystem } from './system/system.ts';

/** An installation with what all its runs share. */
export interface Stage {
  system: FaultySystem;
  catalogue: Catalogue;
  history: History;
  received: readonly Message[];
  rule: RuleOf;
  serial(): number;
}

export interface RunOptions {
  seed: number;
  seconds: number;
  clients: number;
  settleMs: number;
  tell(what: string): void;
}

export interface Result {
  seed: number;
  failed: [check: string, Complaint[]][];
  summary: string;
}

/** How long services may take to be ready again after the last fault. */
const READY_MS = 120_000;
/** How many objects of each kind exist when the faults begin. */
const FIRST = 2;
/** How long to wait between checks for idleness: a check reads everything, and slows down the services. */
const PAUSE_MS = 2_000;
/** How often to check whether enough has been written. */
const COUNT_MS = 50;
/** How often to report what is not settled yet. */
const TELL_MS = 10_000;
/** How many writes must be done in a run, and how long clients go on after the last fault until they are. */
const LEAST = 60;
const AFTER_MS = 45_000;
/** How much longer than asked for the faults may take, on a machine that is slow to restart what was killed. */
const SLOWEST = 3;

/** One seed: clients write while faults happen; then the system is given time to settle, and is checked. */
export async function run(stage: Stage, { seed, seconds, clients, settleMs, tell }: RunOptions): Promise<Result> {
  const { system, history } = stage;
  const stopping = new AbortController();
  const began = Date.now();
  const clientOf = (number: number): ClientOptions => ({
    number,
    dice: diceOf(seed * 1_000 + number),
    history,
    base: system.base,
    token: system.token,
    serial: stage.serial,
    prefix: `s${seed}`,
    stopped: stopping.signal,
  });
  const starter = clientOf(0);
  for (const kind of inOrder(kinds))
    for (let there = history.objects(kind.type).length; there < FIRST; there++) await makeOne(starter, kind);
  const first = history.writes.length;
  const faults = drawFaults(diceOf(seed), system.services, system.log, seconds * 1_000);
  const writing = Promise.all(Array.from({ length: clients }, (_, i) => runClient(clientOf(i + 1))));
  const written = () => history.writes.slice(first);
  const count = (outcome: string) => written().filter((write) => write.outcome === outcome).length;
  const happened = await letHappen(faults, system, SLOWEST * seconds * 1_000, tell).finally(() =>
    setTimeout(() => stopping.abort(), AFTER_MS),
  );
  // A run with hardly any writes would show little; and what was killed must come back before it can write again.
  const since = count('done');
  while (!stopping.signal.aborted && (count('done') < LEAST || count('done') === since)) await sleep(COUNT_MS);
  stopping.abort();
  await writing;
  tell(
    `${happened} faults, ${written().length} writes: ${count('done')} done, ${count('refused')} refused, ${count('unknown')} without an answer`,
  );
  await system.ready(READY_MS);
  const quiet = Date.now();
  const { failed, looked } = await settled(stage, settleMs, tell);
  const summary = `${happened} faults, ${written().length} writes (${count('done')} done, ${count('refused')} refused, ${count('unknown')} unknown), settled after ${((Date.now() - quiet) / 1000).toFixed(1)} s, ${looked}, ${((Date.now() - began) / 1000).toFixed(0)} s in all`;
  if (count('done') < LEAST) failed.push(['clients can write', [`${count('done')} writes were done`]]);
  return { seed, failed, summary };
}

/** Types that others refer to come first. */
function inOrder(all: readonly Kind[]): Kind[] {
  const ordered: Kind[] = [];
  const has = (type: string) => ordered.some((kind) => kind.type === type);
  for (let left = [...all]; left.length; left = left.filter((kind) => !ordered.includes(kind)))
    ordered.push(...left.filter((kind) => kind.needs.every(has)));
  return ordered;
}

/** The violations found, and how much was checked. */
interface Look {
  failed: Result['failed'];
  looked: string;
}

/** Checks again and again, until there are no violations or the time is up. */
async function settled(stage: Stage, withinMs: number, tell: RunOptions['tell']): Promise<Look> {
  for (let until = Date.now() + withinMs, told = Date.now(); ; await sleep(PAUSE_MS)) {
    const found = await look(stage).catch(
      (error: Error): Look => ({
        failed: [['everything can be read', [String(error.stack ?? error)]]],
        looked: 'nothing read',
      }),
    );
    if (!found.failed.length || Date.now() > until) return found;
    if (Date.now() - told < TELL_MS) continue;
    told = Date.now();
    tell(
      `not settled yet: ${found.failed.map(([check, complaints]) => `${check}: ${complaints.length}, for example ${complaints[0]}`).join('; ')}`,
    );
  }
}

async function look({ system, catalogue, history, received, rule }: Stage): Promise<Look> {
  // Asked for first: what the API shows may not be older than what the databases hold.
  const shown = await shownBy(system, catalogue);
  const world = await readWorld({ catalogue, databaseUrl: system.databaseUrl, received, rule });
  const failed = allChecks(world, history.writes, shown).filter(([, complaints]) => complaints.length);
  const sizes = {
    events: [...world.events.values()].flat().length,
    records: rowsOf(world, 'core.objectchange').size,
    deliveries: rowsOf(world, 'extras.webhookdelivery').size,
    deletions: [...world.events.values()].flat().filter(({ action }) => action === 'deleted').length,
  };
  return {
    failed,
    looked: Object.entries(sizes)
      .map(([name, size]) => `${size} ${name}`)
      .join(', '),
  };
}

/** All counts that the API shows. */
async function shownBy({ base, token }: FaultySystem, catalogue: Catalogue): Promise<Shown> {
  const shown: Shown = new Map();
  for (const model of catalogue.models.values()) {
    const counts = countsOf(catalogue, model);
    if (!counts.length || model.part === 'hidden') continue;
    const objects = new Map<number, Record<string, unknown>>();
    for (
      let next: string | null = `${base}/api/${model.app}/${model.path}/?limit=1000&fields=id,${counts.join()}`;
      next;
    ) {
      const response: Response = await fetch(next, {
        headers: { Authorization: `Token ${token}` },
        signal: AbortSignal.timeout(30_000),
      });
      if (!response.ok) throw new Error(`${response.status} for ${next}: ${(await response.text()).slice(0, 300)}`);
      const page = (await response.json()) as {
        next: string | null;
        results: ({ id: number } & Record<string, unknown>)[];
      };
      for (const one of page.results) objects.set(one.id, one);
      next = page.next;
    }
    shown.set(model.name, objects);
  }
  return shown;
}
