/** So many nurseries of a generation of young objects there may be (V8: two of those that live, one for the new). */
const NURSERIES = 3;
/** Of a worker outside of its heap: Node, its code, and what is on its way to it. Some 50 MB were measured. */
const WORKER_MB = 64;

/** The nursery of a worker whose old objects may take so much. */
export const nurseryMb = (memoryMb: number): number => Math.max(Math.floor(memoryMb / 16), 1);

/** How much memory V8's heap may take with these limits, young objects included. In MB, as everything here. */
export const heapMb = (oldMb: number, semiMb: number): number => oldMb + NURSERIES * semiMb;

/** How much memory the worker processes of a pool take at most. */
export const poolMb = ({ size, memoryMb }: { size: number; memoryMb: number }): number =>
  size * (heapMb(memoryMb, nurseryMb(memoryMb)) + WORKER_MB);
