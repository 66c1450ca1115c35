import { addressText, type IpFamily, type Span } from '@cadastre/model';
import { type Address, hostOf, type Range, spanOfRange, type Used } from './used.ts';

/** The most addresses that are shown one by one: those of an IPv4 /22 network. */
export const MOST_CELLS = 1_024n;

/** One address of a map. */
export interface Cell {
  text: string;
  /** The part of the address that differs from its neighbours. */
  short: string;
  kind: 'used' | 'kept' | 'range' | 'end' | 'free';
  /** The objects with this address; there may be several. */
  addresses: readonly Address[];
  range: Range | undefined;
}

const shortOf = (text: string): string => `${/(\.|:)[^.:]*$/.exec(text)?.[0] ?? text}`;

/** The addresses of a span, each with what is known of it. `ends`: the first and the last cannot be used. */
export function cellsOf(family: IpFamily, span: Span, { addresses, ranges }: Used, ends: boolean): Cell[] {
  const byHost = Map.groupBy(addresses, ({ address }) => hostOf(address));
  const spans = ranges.map((range) => ({ range, ...spanOfRange(range) }));
  const count = Number(span.last - span.first) + 1;
  return Array.from({ length: count }, (_, i): Cell => {
    const host = span.first + BigInt(i);
    const text = addressText(family, host);
    const here = byHost.get(host) ?? [];
    const range = spans.find(({ first, last }) => first <= host && host <= last)?.range;
    const kind = here.length
      ? ['reserved', 'deprecated'].includes(here[0]!.status.value)
        ? 'kept'
        : 'used'
      : ends && (i === 0 || i === count - 1)
        ? 'end'
        : range
          ? 'range'
          : 'free';
    return { text, short: shortOf(text), kind, addresses: here, range };
  });
}
