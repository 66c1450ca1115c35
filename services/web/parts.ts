import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Parts } from '@cadastre/pages';

/** What services declare under `pages/`: all panels, tabs and pages of their own, as their models are found. */
export async function loadParts(services: string): Promise<Required<Parts>> {
  const files = readdirSync(services)
    .map((service) => join(services, service, 'pages'))
    .filter((folder) => !folder.startsWith(join(services, 'web')) && !folder.startsWith(join(services, 'gateway')))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .sort()
        .map((name) => join(folder, name)),
    );
  const all = await Promise.all(files.map(async (file) => (await import(pathToFileURL(file).href)) as Parts));
  return { panels: all.flatMap(({ panels = [] }) => panels), pages: all.flatMap(({ pages = [] }) => pages) };
}
