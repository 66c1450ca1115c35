import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Parts } from '@cadastre/pages';

/** Folders named `pages` in these services are something else: pages of all models, and those of the gateway. */
const NOT_PARTS = ['web', 'gateway'];

/**
 * What services declare under `pages/`: their panels, tabs and pages, which are found by their file names like models.
 */
export async function loadParts(services: string): Promise<Required<Parts>> {
  const files = readdirSync(services)
    .filter((service) => !NOT_PARTS.includes(service))
    .map((service) => join(services, service, 'pages'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .sort()
        .map((name) => join(folder, name)),
    );
  const all = await Promise.all(files.map(async (file) => (await import(pathToFileURL(file).href)) as Parts));
  return {
    panels: all.flatMap(({ panels = [] }) => panels),
    pages: all.flatMap(({ pages = [] }) => pages),
    actions: all.flatMap(({ actions = [] }) => actions),
    listActions: all.flatMap(({ listActions = [] }) => listActions),
    banners: all.flatMap(({ banners = [] }) => banners),
    cells: all.flatMap(({ cells = [] }) => cells),
    widgets: all.flatMap(({ widgets = [] }) => widgets),
  };
}
