import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that a worker's program is made of, beside what lies in its own folder. */
const PARTS = ['@cadastre/templates', '@cadastre/model', 'ipaddr.js', 'lru-cache', 'nunjucks'];
const OURS = '@cadastre/';

let packages: string[] | undefined;

/** Folders of the packages, and of what those of others are made of. */
function packageFolders(): string[] {
  const links = dirname(dirname(findPackageJSON('nunjucks', import.meta.url)!));
  // Ours are links there.
  const found = new Set(
    PARTS.filter((name) => name.startsWith(OURS)).flatMap((name) => [
      join(links, name),
      realpathSync(join(links, name)),
    ]),
  );
  const waiting = PARTS.filter((name) => !name.startsWith(OURS)).map((name) => [name, import.meta.url] as const);
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

/** All that the process of a program may read: its own code. Nothing that an installation keeps lies there. */
export const codeOf = (program: URL): string[] =>
  [...(packages ??= packageFolders()), dirname(fileURLToPath(program))].map((folder) => join(folder, '*'));
