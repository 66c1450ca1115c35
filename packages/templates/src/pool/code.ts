import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that a worker's program is made of, beside what lies in its own folder. */
const PARTS = ['@cadastre/templates', '@cadastre/model', 'ipaddr.js', 'lru-cache', 'nunjucks'];
const OURS = '@cadastre/';

const folders = new Map<string, string[]>();

/** Folders of the packages, and of the dependencies of those that are not ours. */
function packageFolders(names: readonly string[]): string[] {
  const links = dirname(dirname(findPackageJSON('nunjucks', import.meta.url)!));
  // Our own packages are symbolic links there.
  const found = new Set(
    names
      .filter((name) => name.startsWith(OURS))
      .flatMap((name) => [join(links, name), realpathSync(join(links, name))]),
  );
  const waiting = names.filter((name) => !name.startsWith(OURS)).map((name) => [name, import.meta.url] as const);
  for (const [name, from] of waiting) {
    const file = findPackageJSON(name, from);
    if (file === undefined) throw new Error(`the package ${name} is not installed`);
    if (found.has(dirname(file))) continue;
    found.add(dirname(file));
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
    waiting.push(...Object.keys(dependencies).map((each) => [each, file] as const));
  }
  return [...found];
}

/** All that the process of a program may read: its own code. No data of an installation lies there. */
export function codeOf(program: URL, further: readonly string[] = []): string[] {
  const key = further.join();
  if (!folders.has(key)) folders.set(key, packageFolders([...PARTS, ...further]));
  return [...folders.get(key)!, dirname(fileURLToPath(program))].map((folder) => join(folder, '*'));
}
