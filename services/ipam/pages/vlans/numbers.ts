/** A VLAN, or numbers that follow one another and are free. */
export type VlanRow<T> = { vid: number; one: T } | { vid: number; last: number };

/** VLANs and free numbers in order. */
export function vlanRows<T extends { vid: number }>(vlans: readonly T[], free: readonly number[]): VlanRow<T>[] {
  const runs: { vid: number; last: number }[] = [];
  for (const vid of free) {
    const run = runs.at(-1);
    if (run && run.last === vid - 1) run.last = vid;
    else runs.push({ vid, last: vid });
  }
  return [...vlans.map((one) => ({ vid: one.vid, one })), ...runs].toSorted((a, b) => a.vid - b.vid);
}

/** The numbers of ranges that nobody uses, in order. */
export function freeIn(ranges: readonly (readonly [number, number])[], used: Iterable<number>): number[] {
  const taken = new Set(used);
  return ranges
    .toSorted(([a], [b]) => a - b)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
    .filter((vid) => !taken.has(vid));
}
