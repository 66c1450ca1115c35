import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../settings/config.ts';
import type { Settings } from './configs.ts';

/** A need of memory, at most this many MB. Services that name the same thing share it. */
export interface MemoryNeed {
  readonly what: string;
  readonly mb: number;
}

/** What is needed of a service to compute its memory. */
export interface MemoryUser {
  readonly name: string;
  /** The memory that it may take outside of V8's heap: for its workers, and for native code. */
  memory?(settings: Settings): readonly MemoryNeed[];
}

const MB = 1024 * 1024;
/** The memory of an idle process outside of V8's heap: 105 to 125 MB were measured, Node's own code included. */
const PROCESS_MB = 128;
/** The same for each further service in the process. */
const SERVICE_MB = 8;
/** How many bodies of the largest size are held as bytes at the same time; any more are in the heap by then. */
const BODIES = 4;

/**
 * Memory outside of the heap that every service needs: for messages between services, and for bodies, while they
 * arrive.
 */
const underWay = ({ grpcMaxMessageBytes, maxBodyBytes }: Config): number =>
  Math.ceil((grpcMaxMessageBytes + BODIES * maxBodyBytes) / MB);

/** The service with this additional need of memory. */
export const needing = <User extends MemoryUser>(
  service: User,
  more: (settings: Settings) => readonly MemoryNeed[],
): User => ({
  ...service,
  memory: (settings) => [...(service.memory?.(settings) ?? []), ...more(settings)],
});

/** All memory that a process with these services may take besides V8's heap, in MB. */
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

/**
 * What to report when a process was given less memory than it may take; undefined if it fits, or if there is no limit.
 */
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

/** The limit of this process's control group, in MB; 0 if there is none. */
export function memoryLimitMb(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? Math.floor(limit / MB) : 0;
}

/** The limit as V8 counts it, young generation included. */
export const heapLimitMb = (): number => Math.ceil(getHeapStatistics().heap_size_limit / MB);
