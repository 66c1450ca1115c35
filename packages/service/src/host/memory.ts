import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../settings/config.ts';
import type { Settings } from './configs.ts';

/** Something that takes memory at most, in MB. What is called the same in several services is shared by them. */
export interface MemoryNeed {
  readonly what: string;
  readonly mb: number;
}

/** A service, as far as its memory goes. */
export interface MemoryUser {
  readonly name: string;
  /** What it may take of memory outside of V8's heap: its workers, and native code. */
  memory?(settings: Settings): readonly MemoryNeed[];
}

const MB = 1024 * 1024;
/** Of a process outside of V8's heap when nothing is under way: 105 to 125 MB were measured, Node's own code included. */
const PROCESS_MB = 128;
/** The same for each further service in it. */
const SERVICE_MB = 8;
/** So many bodies of the largest size are on their way at the same time, as bytes; more are in the heap by then. */
const BODIES = 4;

/** What is outside of the heap, whatever the services are: messages between services, and bodies, as they come in. */
const underWay = ({ grpcMaxMessageBytes, maxBodyBytes }: Config): number =>
  Math.ceil((grpcMaxMessageBytes + BODIES * maxBodyBytes) / MB);

/** A service that takes this memory besides. */
export const needing = <User extends MemoryUser>(
  service: User,
  more: (settings: Settings) => readonly MemoryNeed[],
): User => ({
  ...service,
  memory: (settings) => [...(service.memory?.(settings) ?? []), ...more(settings)],
});

/** All that a process with these services may take beside V8's heap, in MB. */
export function besideHeap(services: readonly MemoryUser[], of: ReadonlyMap<string, Settings>): MemoryNeed[] {
  const all = services.flatMap(({ name, memory }) => memory?.(of.get(name)!) ?? []);
  const most = new Map<string, number>();
  for (const { what, mb } of all) most.set(what, Math.max(most.get(what) ?? 0, mb));
  return [
    { what: 'the process itself', mb: PROCESS_MB + SERVICE_MB * Math.max(services.length - 1, 0) },
    {
      what: 'messages and bodies under way',
      mb: Math.max(0, ...services.map(({ name }) => underWay(of.get(name)!.config))),
    },
    ...[...most].map(([what, mb]) => ({ what, mb })),
  ];
}

export const sumOf = (needs: readonly MemoryNeed[]): number => needs.reduce((sum, { mb }) => sum + mb, 0);

/** What to tell those who gave a process less memory than it may take; undefined where it fits, or nothing limits it. */
export function shortage(
  needs: readonly MemoryNeed[],
  heapMb: number,
  limitMb: number,
): { limit_mb: number; heap_mb: number; beside_heap: Record<string, number> } | undefined {
  if (!limitMb || heapMb + sumOf(needs) <= limitMb) return undefined;
  return {
    limit_mb: limitMb,
    heap_mb: heapMb,
    beside_heap: Object.fromEntries(needs.map(({ what, mb }) => [what, mb])),
  };
}

/** Of the control group that this process is in, in MB; 0 where that says nothing. */
export function memoryLimitMb(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? Math.floor(limit / MB) : 0;
}

/** As V8 counts it, young objects included. */
export const heapLimitMb = (): number => Math.ceil(getHeapStatistics().heap_size_limit / MB);
