import { gaps, type Span } from '@cadastre/model';

/**
 * The numbers in use from a given one on, as ordered spans. They are complete up to `upTo`, before which at least
 * the wanted number of free ones lie.
 */
export type Used = (from: bigint, wanted: number) => Promise<{ spans: Span[]; upTo: bigint }>;

export const singles = (numbers: readonly bigint[]): Span[] =>
  numbers.map((number) => ({ first: number, last: number }));

/**
 * The first numbers of a span that are neither in use nor reserved. Reads no more of the numbers in use than needed.
 */
export async function firstFree(span: Span, reserved: readonly Span[], most: number, used: Used): Promise<bigint[]> {
  const free: bigint[] = [];
  for (let from = past(reserved, span.first); from <= span.last && free.length < most; ) {
    const { spans, upTo } = await used(from, most - free.length);
    for (const gap of gaps({ first: from, last: upTo }, merged(spans, reserved))) {
      for (let number = gap.first; number <= gap.last && number <= span.last && free.length < most; number++)
        free.push(number);
    }
    from = past(reserved, upTo + 1n);
  }
  return free;
}

/** The first number from a given one on that is not reserved. */
function past(reserved: readonly Span[], from: bigint): bigint {
  let at = from;
  for (const { first, last } of reserved) if (first <= at && at <= last) at = last + 1n;
  return at;
}

/** The spans of two lists that are ordered by the first number, in that order. */
function* merged(one: Iterable<Span>, other: readonly Span[]): Generator<Span> {
  let at = 0;
  for (const span of one) {
    while (at < other.length && other[at]!.first <= span.first) yield other[at++]!;
    yield span;
  }
  yield* other.slice(at);
}
