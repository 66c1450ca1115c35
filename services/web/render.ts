import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assetsPath } from '@cadastre/service/web';
import nunjucks from 'nunjucks';

export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

const folder = new URL('./static/', import.meta.url);

/** Styles and scripts by name. The hash of what is in them is in their address, so that browsers may keep them for ever. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  readdirSync(folder).map((name) => {
    const body = readFileSync(new URL(name, folder));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    const [, stem, end] = /^(.+)\.(\w+)$/.exec(name)!;
    return [name, { path: `${assetsPath}${stem}.${hash}.${end}`, type: end!, body }];
  }),
);

const environment = new nunjucks.Environment(
  new nunjucks.FileSystemLoader(fileURLToPath(new URL('./templates', import.meta.url))),
  { autoescape: true, trimBlocks: true, lstripBlocks: true, throwOnUndefined: false },
);
environment.addGlobal('asset', (name: string) => assets.get(name)?.path ?? '');

/** A page as HTML. Whatever data says is escaped. */
export const render = (view: string, data: Record<string, unknown>): string => environment.render(`${view}.njk`, data);
