import { gaps, type Network, networkOf, networksOf, networkText, sizeOf, type Span, spanOf } from '@cadastre/model';
import { numberText } from '@cadastre/pages';
import { say } from '../texts/say.ts';

/** A row of the space inside a network: something in it, or a block that is free. */
export type Row<T> = { depth: number; free: false; net: Network; one: T } | { depth: number; free: true; net: Network };

/** Something that is a network. */
export interface Inside<T> {
  net: Network;
  one: T;
}

const ends = ({ first, last }: Span, { first: from, last: to }: Span): boolean => first <= from && to <= last;
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a tree: by where networks begin, the larger before what is in it. */
const inOrder = (a: Inside<unknown>, b: Inside<unknown>): number =>
  compare(a.net.address, b.net.address) || a.net.length - b.net.length;

/**
 * The rows of the tree in a network: networks with what is in them, and free blocks between them. A network without
 * anything in it has no rows: its addresses say how far it is in use.
 */
export function rowsOf<T>(root: Network, all: readonly Inside<T>[]): Row<T>[] {
  const sorted = all.toSorted(inOrder);
  let at = 0;
  const within = (parent: Network, depth: number): Row<T>[] => {
    const span = spanOf(parent);
    const children: { taken: Span; rows: Row<T>[] }[] = [];
    while (at < sorted.length && ends(span, spanOf(sorted[at]!.net))) {
      const { net, one } = sorted[at++]!;
      children.push({ taken: spanOf(net), rows: [{ depth, free: false, net, one }, ...within(net, depth + 1)] });
    }
    if (!children.length && depth) return [];
    const free = [
      ...gaps(
        span,
        children.map(({ taken }) => taken),
      ),
    ].flatMap((gap) => networksOf(parent.family, gap));
    return [...children, ...free.map((net) => ({ taken: spanOf(net), rows: [{ depth, free: true as const, net }] }))]
      .toSorted((a, b) => compare(a.taken.first, b.taken.first))
      .flatMap(({ rows }) => rows);
  };
  return within(root, 0);
}

/** The percentage of a network that is taken by spans within it. */
export function shareTaken(net: Network, taken: readonly Span[]): number {
  const whole = spanOf(net);
  const clipped = taken
    .filter(({ first, last }) => last >= whole.first && first <= whole.last)
    .map(({ first, last }) => ({
      first: first < whole.first ? whole.first : first,
      last: last > whole.last ? whole.last : last,
    }))
    .toSorted((a, b) => compare(a.first, b.first));
  const free = [...gaps(whole, clipped)].reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  const size = sizeOf(net.family, net.length);
  return Number(((size - free) * 1_000_000n) / size) / 10_000;
}

/** How many addresses a network has, in words: those of large networks are powers of two. */
export function sizeText({ family, length }: Network): string {
  const bits = (family === 4 ? 32 : 128) - length;
  return bits ? say('{count} addresses', { count: bits > 32 ? `2^${bits}` : numberText(2 ** bits) }) : say('1 address');
}

export const netOf = (text: unknown): Network => networkOf(String(text))!;
export { networkText };
