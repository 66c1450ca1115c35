import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import type { Dict } from '@cadastre/model';
import { type Place, type Row, Unreadable } from './rows.ts';

/** The most rows of a portion, which is written all or nothing … */
const PORTION = 500;
/** … and the most objects, including those in the rows' lists … */
const WITH_PARTS = 2_000;
/** … and the largest size, as JSON in bytes; a single row that is larger is a portion of its own, up to `MOST`. */
const BYTES = 512 * 1024;
const MOST = 2 * 1024 * 1024;

const unfold = promisify(inflateRaw);

/** The rows of a table share their places. */
interface Packed {
  places?: Readonly<Record<string, Place>>;
  rows: [line: number, values: Dict, places?: Readonly<Record<string, Place>>][];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The number of objects in a row: the row itself, and the items of its lists. */
const weightOf = ({ values }: Row): number =>
  Object.values(values).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) && isObject(value[0]) ? value.length : 0),
    1,
  );

/** The number of rows, from the given one on, that form one portion, and their JSON. */
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

/**
 * Splits rows into portions that are small enough to travel with a page. @throws Unreadable for a row that is too large
 */
export function* portionsOf(rows: readonly Row[]): Generator<string> {
  for (let at = 0; at < rows.length; ) {
    const { count, text } = nextPortion(rows, at);
    yield deflateRawSync(text).toString('base64url');
    at += count;
  }
}

/** @param most size limit of the JSON in bytes, for input that is not our own. @throws Error for an invalid portion */
export const unpacked = async (text: string, most = MOST): Promise<Row[]> => rowsIn(await jsonOf(text, most));

/** Unpacks portions one after the other, up to a total size: more was never packed. @throws Error as `unpacked` */
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
