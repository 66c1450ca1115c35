// Where contracts are recorded, and how the present ones differ from them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Catalogue } from '@cadastre/model';
import { brokenEnvelope, brokenEvents } from './compareEvents.ts';
import { brokenCalls } from './compareGrpc.ts';
import { type EnvelopeContract, envelopeContract, type EventContract, eventContract } from './events.ts';
import type { Example } from './example.ts';
import { type GrpcContract, grpcContract } from './grpc.ts';
import { grpcServicesOf } from './offered.ts';

const FOLDER = resolve(import.meta.dirname, '../../contracts');

/** The contract of one of our services with its neighbours. */
interface ServiceContract {
  /** The services of proto/ that it answers, by their full names. */
  readonly answers: readonly string[];
  readonly publishes: EventContract;
}
export interface Contracts {
  /** The members that all events share. */
  readonly event: EnvelopeContract;
  /** By the full name of a service of proto/. */
  readonly calls: Readonly<Record<string, GrpcContract>>;
  /** By the name of one of our services. */
  readonly services: Readonly<Record<string, ServiceContract>>;
}

export function presentContracts(catalogue: Catalogue): Contracts {
  const names = catalogue.services();
  const offered = names.flatMap((name) => grpcServicesOf(name, catalogue));
  return {
    event: envelopeContract(),
    calls: Object.fromEntries(offered.map((one) => [one.service, grpcContract(one)])),
    services: Object.fromEntries(
      names.map((name) => [
        name,
        {
          answers: grpcServicesOf(name, catalogue).map(({ service }) => service),
          publishes: eventContract(name, catalogue),
        },
      ]),
    ),
  };
}

const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(FOLDER, ...path), 'utf8')) as T;
function write(value: unknown, ...path: string[]): void {
  const file = join(FOLDER, ...path);
  mkdirSync(resolve(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** A folder for each service, and one for those of proto/, which several may answer. */
const CALLS = 'calls';
const CONTRACT = 'contract.json';
const EXAMPLE = 'example.json';
const EVENT = 'event.json';

/** @returns undefined where nothing is recorded */
export function recordedContracts(): Contracts | undefined {
  if (!existsSync(join(FOLDER, EVENT))) return undefined;
  const services = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, CONTRACT)));
  const calls = readdirSync(join(FOLDER, CALLS));
  return {
    event: read(EVENT),
    calls: Object.fromEntries(calls.map((file) => [file.replace(/\.json$/, ''), read(CALLS, file)])),
    services: Object.fromEntries(services.map((name) => [name, read(name, CONTRACT)])),
  };
}

/** Records contracts in place of all earlier ones; examples are recorded afterwards, by `recordExample`. */
export function record({ event, calls, services }: Contracts): void {
  rmSync(FOLDER, { recursive: true, force: true });
  write(event, EVENT);
  for (const [name, contract] of Object.entries(calls)) write(contract, CALLS, `${name}.json`);
  for (const [name, contract] of Object.entries(services)) write(contract, name, CONTRACT);
}

export const recordedExample = (service: string): Example => read(service, EXAMPLE);
export const recordExample = (service: string, example: Example): void => write(example, service, EXAMPLE);

/** What neighbours of the last release would misunderstand, in words. */
export function broken(recorded: Contracts, present: Contracts): string[] {
  const calls = Object.entries(recorded.calls).flatMap(([name, before]) => {
    const now = present.calls[name];
    return now
      ? brokenCalls(before, now).map((problem) => `${name}: ${problem}`)
      : [`Nobody answers ${name} any more.`];
  });
  const services = Object.entries(recorded.services).flatMap(([name, before]) => {
    const now = present.services[name];
    if (!now) return [`The service ${name} is missing.`];
    const left = before.answers.filter((one) => !now.answers.includes(one));
    return [
      ...left.map((one) => `It does not answer ${one} any more.`),
      ...brokenEvents(before.publishes, now.publishes),
    ].map((problem) => `${name}: ${problem}`);
  });
  return [...brokenEnvelope(recorded.event, present.event), ...calls, ...services];
}

/** How to fix it. */
export const ADVICE = `While services are replaced one by one, those of the last release and of this one talk to each other. So expand, then contract:
keep what is there, add the new beside it under a name or number of its own, and let services use the new. When a release is
out in which nobody uses the old any more, take it away, and record that: npm run contracts -- --contract`;
