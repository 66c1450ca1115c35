import { readdirSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const services = fileURLToPath(new URL('../../../', import.meta.url));

/** Templates, styles and scripts stand beside what they belong to: in the features of the pages, and in services' parts. */
const FOLDERS = /^(web|(?!gateway\/)[^/]+\/pages)\//;

const files = readdirSync(services, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll(sep, '/'))
  .filter((path) => FOLDERS.test(path));

/** All files with an ending, in the order of their names. A name is used once, so it is enough to find a file by. */
export const sourcesOf = (ending: string): readonly { name: string; path: string }[] =>
  files
    .filter((path) => path.endsWith(ending))
    .map((path) => ({ name: basename(path), path: join(services, path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
