/** What stands at a path, and what the path has where the pattern has `*`. */
export interface FoundPath<T> {
  target: T;
  parts: string[];
}

/** A table of paths. A `*` in a pattern stands for any one part of a path that is not empty. */
export interface PathTable<T> {
  /** What stands at exactly this path. Where several patterns fit, one that names a part comes before one with `*`. */
  find(path: string): FoundPath<T> | undefined;
  /** What stands at the longest of the patterns, which all end with a slash, that the path begins with. */
  findPrefix(path: string): FoundPath<T> | undefined;
}

interface Node<T> {
  named: Map<string, Node<T>>;
  any?: Node<T>;
  target?: T;
}

/** @throws Error when a pattern stands twice in the table */
export function pathTable<T>(entries: Iterable<readonly [pattern: string, target: T]>): PathTable<T> {
  const root: Node<T> = { named: new Map() };
  for (const [pattern, target] of entries) {
    const node = pattern.split('/').reduce(grown, root);
    if (node.target !== undefined) throw new Error(`The path stands twice in the table: ${pattern}`);
    node.target = target;
  }
  const found = (node: Node<T> | undefined, parts: string[]): FoundPath<T> | undefined =>
    node?.target === undefined ? undefined : { target: node.target, parts };
  const search = (
    node: Node<T> | undefined,
    path: string[],
    at: number,
    parts: string[],
    whole: boolean,
  ): FoundPath<T> | undefined => {
    if (node === undefined) return undefined;
    if (at === path.length) return whole ? found(node, parts) : undefined;
    const part = path[at]!;
    const deeper =
      search(node.named.get(part), path, at + 1, parts, whole) ??
      (part === '' ? undefined : search(node.any, path, at + 1, [...parts, part], whole));
    return deeper ?? (whole ? undefined : found(node.named.get(''), parts));
  };
  return {
    find: (path) => search(root, path.split('/'), 0, [], true),
    findPrefix: (path) => search(root, path.split('/'), 0, [], false),
  };
}

/** The node of one more part of a pattern. */
function grown<T>(node: Node<T>, part: string): Node<T> {
  if (part === '*') return (node.any ??= { named: new Map() });
  const known = node.named.get(part);
  if (known) return known;
  const made: Node<T> = { named: new Map() };
  node.named.set(part, made);
  return made;
}
