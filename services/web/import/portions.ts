import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import type { Dict } from '@cadastre/model';
import type { Place, Row } from './rows.ts';

/** So many objects are written at once, all or none … */
export const PORTION = 500;
/** … and so many with all that lies in them as lists of objects … */
const WITH_PARTS = 2_000;
/** … and so much of them, in bytes of JSON; one that is larger by itself is a portion. */
const BYTES = 512 * 1024;

const unfold = promisify(inflateRaw);

/** Rows of a table have their places in common. */
interface Packed {
  places?: Readonly<Record<string, Place>>;
  rows: [line: number, values: Dict, places?: Readonly<Record<string, Place>>][];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** A row, and the objects in its lists. */
const weightOf = ({ values }: Row): number =>
  Object.values(values).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) && isObject(value[0]) ? value.length : 0),
    1,
  );

/** How many of these rows from the first on are one portion, and their JSON. */
function nextPortion(rows: readonly Row[], from: number): { count: number; text: string } {
  const shared = rows[from]!.places;
  const texts: string[] = [];
  let [bytes, weight] = [0, 0];
  for (const row of rows.slice(from, from + PORTION)) {
    const { line, values, places } = row;
    const text = JSON.stringify(places === shared ? [line, values] : [line, values, places]);
    bytes += Buffer.byteLength(text);
    weight += weightOf(row);
    if (texts.length && (bytes > BYTES || weight > WITH_PARTS)) break;
    texts.push(text);
  }
  return { count: texts.length, text: `{"places":${JSON.stringify(shared)},"rows":[${texts.join()}]}` };
}

/** The portions of rows, one after the other, small enough to travel with a page. */
export function* portionsOf(rows: readonly Row[]): Generator<string> {
  for (let at = 0; at < rows.length; ) {
    const { count, text } = nextPortion(rows, at);
    yield deflateRawSync(text).toString('base64url');
    at += count;
  }
}

/** @param most bytes of its JSON. @throws Error for what is no portion */
export async function unpacked(text: string, most: number): Promise<Row[]> {
  const json = await unfold(Buffer.from(text, 'base64url'), { maxOutputLength: most });
  const { places: shared = {}, rows } = JSON.parse(json.toString('utf8')) as Packed;
  return rows.map(([line, values, places = shared]) => {
    if (typeof line !== 'number' || !isObject(values) || !isObject(places)) throw new Error('this is no portion');
    return { line, values, places };
  });
}
