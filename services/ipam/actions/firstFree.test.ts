import { expect, test } from '@jest/globals';
import { networkOf, networkText } from '@cadastre/model';
import { takeOut } from './availablePrefixes.ts';
import { firstFree, singles, type Used } from './firstFree.ts';

const asked: bigint[] = [];
/** The numbers in use, read ten numbers at a time. */
const of =
  (...numbers: number[]): Used =>
  async (from) => {
    asked.push(from);
    const upTo = from + 9n;
    return { spans: singles(numbers.map(BigInt).filter((n) => n >= from && n <= upTo)), upTo };
  };
const span = (first: number, last: number) => ({ first: BigInt(first), last: BigInt(last) });
const free = async (...given: Parameters<typeof firstFree>) => (await firstFree(...given)).map(Number);

test('gaps between what is in use and reserved come first', async () => {
  expect(await free(span(1, 20), [span(0, 2), span(8, 11), span(10, 12)], 5, of(4, 5, 7))).toEqual([3, 6, 13, 14, 15]);
  expect(await free(span(1, 3), [], 9, of(2))).toEqual([1, 3]);
  expect(await free(span(1, 3), [span(0, 9)], 9, of())).toEqual([]);
  expect(await free(span(1, 3), [], 0, of())).toEqual([]);
});

test('reads no more of what is in use than it takes', async () => {
  const dense = Array.from({ length: 50 }, (_, i) => i);
  asked.length = 0;
  expect(await free(span(0, 100_000), [], 2, of(...dense))).toEqual([50, 51]);
  expect(asked).toEqual([0n, 10n, 20n, 30n, 40n, 50n]);
  asked.length = 0;
  expect(await free(span(0, 100_000), [], 1, of(...dense.filter((n) => n !== 7)))).toEqual([7]);
  expect(asked).toEqual([0n]);
});

test('what is reserved is not looked at', async () => {
  asked.length = 0;
  expect(await free(span(0, 100_000), [span(0, 90_000), span(80_000, 99_994)], 9, of())).toEqual([
    99_995, 99_996, 99_997, 99_998, 99_999, 100_000,
  ]);
  expect(asked).toEqual([99_995n]);
});

test('a span of IPv6 is exact', async () => {
  const first = networkOf('2001:db8::/32')!.address;
  expect(
    await firstFree({ first, last: first + 2n ** 96n - 1n }, [{ first, last: first + 2n ** 95n }], 1, of()),
  ).toEqual([first + 2n ** 95n + 1n]);
});

test('networks are taken from the first free one that is large enough', () => {
  const nets = (...texts: string[]) => texts.map((text) => networkOf(text)!);
  expect(takeOut(nets('10.1.2.0/23', '10.1.4.0/22'), [28, 28, 22])!.map(networkText)).toEqual([
    '10.1.2.0/28',
    '10.1.2.16/28',
    '10.1.4.0/22',
  ]);
  expect(takeOut(nets('10.1.0.0/28', '10.1.4.0/22'), [24, 28])!.map(networkText)).toEqual([
    '10.1.4.0/24',
    '10.1.0.0/28',
  ]);
  expect(takeOut(nets('10.1.0.0/24'), [25, 25, 25])).toBeUndefined();
});
