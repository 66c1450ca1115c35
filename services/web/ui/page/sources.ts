import { readdirSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const services = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Templates, styles and scripts are kept beside the code that uses them: in the features of the pages, and in the
 * services' parts.
 */
const FOLDERS = /^(web|(?!gateway\/)[^/]+\/pages)\//;

const files = readdirSync(services, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll(sep, '/'))
  .filter((path) => FOLDERS.test(path));

/** All files with an extension, sorted by name. Names are unique, so that a name alone identifies a file. */
export const sourcesOf = (ending: string): readonly { name: string; path: string }[] =>
  files
    .filter((path) => path.endsWith(ending))
    .map((path) => ({ name: basename(path), path: join(services, path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
