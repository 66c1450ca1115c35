import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import type { Dict } from '@cadastre/model';
import { type Place, type Row, Unreadable } from './rows.ts';

/** So many objects are written at once, all or none … */
const PORTION = 500;
/** … and so many with all that lies in them as lists of objects … */
const WITH_PARTS = 2_000;
/** … and so much of them, in bytes of JSON; one that is larger by itself is a portion, up to a limit. */
const BYTES = 512 * 1024;
const MOST = 2 * 1024 * 1024;

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
    if (bytes > MOST && rows.length > 1) throw new Unreadable('importRowSize', { count: MOST }, { line });
    texts.push(text);
  }
  return { count: texts.length, text: `{"places":${JSON.stringify(shared)},"rows":[${texts.join()}]}` };
}

/** The portions of rows, one after the other, small enough to travel with a page. @throws Unreadable for a row that is not */
export function* portionsOf(rows: readonly Row[]): Generator<string> {
  for (let at = 0; at < rows.length; ) {
    const { count, text } = nextPortion(rows, at);
    yield deflateRawSync(text).toString('base64url');
    at += count;
  }
}

/** @param most bytes of its JSON, where it does not come from here. @throws Error for what is no portion */
export const unpacked = async (text: string, most = MOST): Promise<Row[]> => rowsIn(await jsonOf(text, most));

/** One after the other, until they have come to so many bytes: more was never packed. @throws Error as `unpacked` */
export async function* unpackedInTurn(portions: readonly string[], bytes: number): AsyncGenerator<Row[]> {
  let left = bytes;
  for (const portion of portions) {
    const json = await jsonOf(portion, MOST);
    left -= json.length;
    if (left < 0) throw new Error('these are no portions');
    yield rowsIn(json);
  }
}

const jsonOf = (text: string, most: number): Promise<Buffer> =>
  unfold(Buffer.from(text, 'base64url'), { maxOutputLength: most });

function rowsIn(json: Buffer): Row[] {
  const { places: shared = {}, rows } = JSON.parse(json.toString('utf8')) as Packed;
  if (rows.length > PORTION) throw new Error('this is no portion');
  return rows.map(([line, values, places = shared]) => {
    if (typeof line !== 'number' || !isObject(values) || !isObject(places)) throw new Error('this is no portion');
    return { line, values, places };
  });
}
