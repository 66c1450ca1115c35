import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Dict } from '@cadastre/model';

/** A recording of a real NetBox: its database, and the lists of its API. */
export interface Recording {
  name: string;
  /** A plain dump, compressed with gzip. */
  dump: string;
  /** What the API showed at `dcim/sites`, or undefined for a path that is not among its lists. */
  list(path: string): Dict[] | undefined;
  accounts: { users: Dict[]; tokens: Dict[] };
}

/** The pepper of the digests of the recorded tokens; its number is 1. */
export const PEPPER = 'TEST-VALUE-DO-NOT-USE-TEST-VALUE-DO-NOT-USE-TEST-VALUE-DO-NOT-USE';

/** The recordings lie beside the project, as they are too large for it. */
const SHARED = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../../../../shared');

/** The recordings that exist. */
export function recordings(): Recording[] {
  const folders = existsSync(SHARED) ? readdirSync(SHARED).filter((name) => name.startsWith('netbox-')) : [];
  return folders.flatMap((name) => {
    const folder = join(SHARED, name);
    const dump = join(folder, 'database.sql.gz');
    return existsSync(dump) ? [{ name, dump, list: listIn(folder), accounts: accountsIn(folder) }] : [];
  });
}

const listIn = (folder: string) => (path: string) => {
  const file = join(folder, 'lists', `${path}.json.gz`);
  if (!existsSync(file)) return undefined;
  const said = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Dict[] | { results: Dict[] };
  return Array.isArray(said) ? said : said.results;
};

const accountsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'accounts-plain.json'), 'utf8')) as Recording['accounts'];
