import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../load/dice.ts';
import type { FaultySystem } from './system.ts';

/** A fault, and how long after the previous one it happens. */
export interface Fault {
  afterMs: number;
  name: string;
  on: string;
  strike(system: FaultySystem): Promise<void>;
}

type Kind = readonly [name: string, weight: number, of: (dice: Dice, service: string) => Fault['strike']];

const now =
  (work: (system: FaultySystem) => void): Fault['strike'] =>
  (system) => {
    work(system);
    return Promise.resolve();
  };

/** The faults of a service and its connections. */
const ofServices: readonly Kind[] = [
  ['kill', 5, (_, service) => now((system) => system.killService(service))],
  [
    'cut from its database',
    3,
    (_, service) =>
      now((system) => {
        system.proxies.get(service)!.database.cut();
      }),
  ],
  [
    'cut in part from its database',
    2,
    (dice, service) =>
      now((system) => {
        system.proxies.get(service)!.database.cut(() => dice.chance(0.5));
      }),
  ],
  [
    'cut from its neighbours',
    3,
    (_, service) =>
      now((system) => {
        const { http, grpc } = system.proxies.get(service)!;
        http.cut();
        grpc.cut();
      }),
  ],
  ['deaf to its database', 1, (dice, service) => heldFor(dice, (system) => system.proxies.get(service)!.database)],
  ['deaf to its neighbours', 1, (dice, service) => heldFor(dice, (system) => system.proxies.get(service)!.grpc)],
];
const ofPostgres: Kind = [
  'kill',
  1,
  (dice) => {
    const signal = dice.choose(['SIGKILL', 'SIGQUIT', 'SIGINT'] as const);
    return now((system) => system.killPostgres(signal));
  },
];
const ofKafka: Kind = [
  'kill',
  2,
  (dice) => {
    const downMs = 200 + dice.below(2_500);
    return (system) => system.restartKafka(downMs);
  },
];

function heldFor(dice: Dice, proxyOf: (system: FaultySystem) => { hold(held: boolean): void }): Fault['strike'] {
  const ms = 500 + dice.below(3_000);
  return async (system) => {
    const proxy = proxyOf(system);
    proxy.hold(true);
    await sleep(ms);
    proxy.hold(false);
  };
}

/** Without these nothing can be written at all, so they fail less often. */
const onTheWay = new Set(['gateway', 'auth']);

/** Faults for about this duration, all drawn in advance: a seed has the same ones however slow the machine is. */
export function drawFaults(
  dice: Dice,
  services: readonly string[],
  log: FaultySystem['log'],
  totalMs: number,
): Fault[] {
  const faults: Fault[] = [];
  const all = [...ofServices, ofPostgres, ...(log === 'kafka' ? [ofKafka] : [])];
  for (let at = 0; ; ) {
    const afterMs = 500 + dice.below(2_500);
    at += afterMs;
    if (at > totalMs) return faults;
    const kind = dice.weighted(all.map((one) => [one, one[1]] as const));
    const on =
      kind === ofPostgres
        ? 'PostgreSQL'
        : kind === ofKafka
          ? 'Kafka'
          : dice.weighted(services.map((name) => [name, onTheWay.has(name) ? 1 : 3] as const));
    faults.push({ afterMs, name: kind[0], on, strike: kind[2](dice, on) });
  }
}

/** How long a kill waits until what was killed before is back; on a slow machine nothing might be running otherwise. */
const PATIENCE_MS = 8_000;

/**
 * Makes the faults happen one after the other, lasting ones in parallel with the next, for a limited time. Resolves
 * with their number when the last one is over.
 */
export async function letHappen(
  faults: readonly Fault[],
  system: FaultySystem,
  withinMs: number,
  tell: (what: string) => void,
): Promise<number> {
  const lasting: Promise<void>[] = [];
  const until = Date.now() + withinMs;
  for (const { afterMs, name, on, strike } of faults) {
    await sleep(afterMs);
    if (name === 'kill')
      await Promise.race([
        Promise.all([system.ready(PATIENCE_MS), system.brokerReady()]).catch(() => undefined),
        sleep(PATIENCE_MS),
      ]);
    if (Date.now() > until) break;
    tell(`${on}: ${name}`);
    const strikes = strike(system);
    strikes.catch(() => undefined);
    lasting.push(strikes);
  }
  await Promise.all(lasting);
  return lasting.length;
}
