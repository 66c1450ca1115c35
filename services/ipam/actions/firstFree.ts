import { gaps, type Span } from '@cadastre/model';

/** How many numbers in use are read at first, and then, where all of those follow one another. */
const CHUNKS = [1000, 100_000];

/** Numbers in use from one on, as spans in order; read up to so many numbers, and whether those were all. */
export type Used = (from: bigint, most: number) => Promise<{ spans: Span[]; all: boolean }>;

export const singles = (numbers: readonly bigint[]): Span[] => numbers.map((number) => ({ first: number, last: number }));

/** The first numbers of a span that are neither in use nor reserved. Reads no more of those in use than it takes. */
export async function firstFree(span: Span, reserved: readonly Span[], most: number, used: Used): Promise<bigint[]> {
  const free: bigint[] = [];
  for (let from = span.first, round = 0; from <= span.last; round++) {
    const size = CHUNKS[Math.min(round, CHUNKS.length - 1)]!, { spans, all } = await used(from, size);
    const upTo = all ? span.last : spans.at(-1)!.last;
    for (const gap of gaps({ first: from, last: upTo }, merged(spans, reserved))) {
      for (let number = gap.first; number <= gap.last; number++) {
        if (free.length >= most) return free;
        free.push(number);
      }
    }
    if (free.length >= most) return free;
    from = upTo + 1n;
  }
  return free;
}

/** Spans of two lists, each in order of the first number, in that order. */
function* merged(one: Iterable<Span>, other: readonly Span[]): Generator<Span> {
  let at = 0;
  for (const span of one) {
    while (at < other.length && other[at]!.first <= span.first) yield other[at++]!;
    yield span;
  }
  yield* other.slice(at);
}
