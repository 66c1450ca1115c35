/** V8's young generation consists of this many nurseries (semi-spaces): two for survivors, one for new objects. */
const NURSERIES = 3;
/** Memory of a worker outside of its heap: Node, its code, and messages to it. Some 50 MB were measured. */
const WORKER_MB = 64;

/** The nursery of a worker with an old generation of that size. */
export const nurseryMb = (memoryMb: number): number => Math.max(Math.floor(memoryMb / 16), 1);

/** The most that V8's heap may take with these limits, young objects included. In MB, as everything here. */
export const heapMb = (oldMb: number, semiMb: number): number => oldMb + NURSERIES * semiMb;

/** The most that the worker processes of a pool take. */
export const poolMb = ({ size, memoryMb }: { size: number; memoryMb: number }): number =>
  size * (heapMb(memoryMb, nurseryMb(memoryMb)) + WORKER_MB);
