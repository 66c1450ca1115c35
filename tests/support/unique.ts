import { randomInt } from 'node:crypto';

/**
 * Neither vowels nor digits: random combinations are no words or numbers that a test searches for, and sort the same
 * everywhere.
 */
const LETTERS = 'bcdfghjkmnpqrstvwxz';
const LENGTH = 10;

/** The words of a file begin at a random place in the range; no file makes as many as are left free at its end. */
let at = randomInt(LETTERS.length ** LENGTH - 1_000_000);

/**
 * A word that no other test uses, as all files share one system. Later words of a file sort after earlier ones, so that
 * lists ordered by name have a test's objects in the order of their creation.
 */
export function unique(prefix = 't'): string {
  let [word, rest] = ['', at++];
  for (let i = 0; i < LENGTH; i++) {
    word = LETTERS[rest % LETTERS.length] + word;
    rest = Math.floor(rest / LETTERS.length);
  }
  return `${prefix}-${word}`;
}

/**
 * The `size` whole numbers from `first` on, cyclically from a random one on: none repeats before all have been used.
 */
function turns(size: number, first = 0): () => number {
  let at = randomInt(size);
  return () => first + (at++ % size);
}

/** Ids of VLANs, 1 to 4094. */
export const nextVid = turns(4094, 1);

/** Private AS numbers, from the range of 32-bit numbers. */
export const nextAsn = turns(94_967_295, 4_200_000_000);

const network = turns(2 ** 16);

/** A network of its own: the prefixes of its addresses, `10.<a>.<b>` and `2001:db8:<hex>`. */
export function nextNetwork(): { four: string; six: string } {
  const number = network();
  return { four: `10.${number >> 8}.${number & 255}`, six: `2001:db8:${number.toString(16)}` };
}

const hardware = turns(2 ** 40);

/** A locally administered MAC address, in capitals. */
export const nextMac = (): string =>
  `02:${hardware().toString(16).padStart(10, '0').match(/../g)!.join(':')}`.toUpperCase();
