import { randomInt } from 'node:crypto';

/**
 * Neither vowels nor digits: what chance makes of them is no word or number that a test looks for, and sorts everywhere
 * alike.
 */
const LETTERS = 'bcdfghjkmnpqrstvwxz';
const LENGTH = 10;

/** The words of a file begin at a random place among all that there are; no file makes as many as are kept free at the end. */
let at = randomInt(LETTERS.length ** LENGTH - 1_000_000);

/**
 * A word that no other test uses: all files share one system. Later words of a file sort after earlier ones, so that lists
 * in the order of names have what a test made in the order in which it made them.
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
 * Whole numbers from `first` on, `size` of them, in turn from a chosen one on: none comes twice before all have come.
 */
function turns(size: number, first = 0): () => number {
  let at = randomInt(size);
  return () => first + (at++ % size);
}

/** Ids of VLANs, 1 to 4094. */
export const nextVid = turns(4094, 1);

/** Private AS numbers, each of the 32 bits that are set apart for them. */
export const nextAsn = turns(94_967_295, 4_200_000_000);

const network = turns(2 ** 16);

/** A network of its own: the beginnings of its addresses, `10.<a>.<b>` and `2001:db8:<hex>`. */
export function nextNetwork(): { four: string; six: string } {
  const number = network();
  return { four: `10.${number >> 8}.${number & 255}`, six: `2001:db8:${number.toString(16)}` };
}

const hardware = turns(2 ** 40);

/** A hardware address that is given out locally, in capitals. */
export const nextMac = (): string =>
  `02:${hardware().toString(16).padStart(10, '0').match(/../g)!.join(':')}`.toUpperCase();
