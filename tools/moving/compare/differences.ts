import { isThing, type Json, type Thing } from '../json.ts';

/** Where two objects differ, by the path to the value: `site.name`, `tags`; undefined stands for a missing member. */
export interface Difference {
  field: string;
  left: Json | undefined;
  right: Json | undefined;
}

/**
 * The differences between two objects. The base address of each installation's URLs does not count as a difference; nor
 * does the order of lists of objects, which has no meaning.
 */
export const differences = (left: Thing, right: Thing): Difference[] =>
  below('', withoutHost(left, hostOf(left)), withoutHost(right, hostOf(right)));

function below(field: string, left: Json | undefined, right: Json | undefined): Difference[] {
  if (left === right) return [];
  if (isThing(left) && isThing(right))
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
      below(field ? `${field}.${name}` : name, left[name], right[name]),
    );
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    const [ours, theirs] = [inOrder(left), inOrder(right)];
    const at = ours.findIndex((one, i) => below('', one, theirs[i]).length > 0);
    return at < 0 ? [] : [{ field, left, right }];
  }
  return [{ field, left, right }];
}

/** Sorts objects by their ids, and leaves other lists as they are. */
const inOrder = (list: Json[]): Json[] =>
  list.every((one) => isThing(one) && typeof one['id'] === 'number')
    ? (list as { id: number }[]).toSorted((a, b) => a.id - b.id)
    : list;

/** The base of the addresses in an object, before `/api/`; undefined where it has none. */
function hostOf({ url }: Thing): string | undefined {
  const at = typeof url === 'string' ? url.indexOf('/api/') : -1;
  return at < 0 ? undefined : (url as string).slice(0, at);
}

function withoutHost<T extends Json>(value: T, host: string | undefined): T {
  if (host === undefined || host === '') return value;
  if (typeof value === 'string') return (value.startsWith(`${host}/`) ? value.slice(host.length) : value) as T;
  if (Array.isArray(value)) return value.map((one) => withoutHost(one, host)) as T;
  if (isThing(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutHost(one, host)])) as T;
  return value;
}
