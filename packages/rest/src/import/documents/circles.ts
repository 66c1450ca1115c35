/** Positions of the ids that lie in a circle: following `above` from them leads back to them. */
export function circlesIn(ids: readonly number[], above: (id: number) => number | undefined): number[] {
  const walked = new Set<number>();
  const circling = new Set<number>();
  for (const start of ids) {
    const way: number[] = [];
    const places = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && !walked.has(at)) {
      walked.add(at);
      places.set(at, way.length);
      way.push(at);
      at = above(at);
    }
    const begin = at === undefined ? undefined : places.get(at);
    if (begin !== undefined) for (const id of way.slice(begin)) circling.add(id);
  }
  return ids.flatMap((id, i) => (circling.has(id) ? [i] : []));
}
