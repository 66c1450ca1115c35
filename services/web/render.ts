import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assetsPath } from '@cadastre/service/web';
import nunjucks from 'nunjucks';
import { within } from './model/labels.ts';
import { oncePer } from './model/known.ts';
import type { Texts } from './texts/texts.ts';

export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

const folder = new URL('./static/', import.meta.url);

const files = readdirSync(folder)
  .filter((name) => /\.\w+$/.test(name))
  .sort();
const STYLE = 'web.css';

/** What all pages have in common, in this order: what comes later may say it more exactly. */
const COMMON = [
  'colours',
  'page',
  'frame',
  'controls',
  'tables',
  'badges',
  'ways',
  'panels',
  'fields',
  'notices',
  'changes',
  'narrow',
];

/** All styles are one file: what the pages have in common comes first, then each topic. */
const style = (): Buffer => {
  const names = [...COMMON.map((name) => `common/${name}.css`), ...files.filter((name) => name.endsWith('.css'))];
  return Buffer.from(names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n'));
};

/** The hash of what is in a file is in its address, so that browsers may keep it for ever. */
function asset(name: string, body: Buffer): [string, Asset] {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const [, stem, end] = /^(.+)\.(\w+)$/.exec(name)!;
  return [name, { path: `${assetsPath}${stem}.${hash}.${end}`, type: end!, body }];
}

/** The style and the scripts of the pages by name; scripts stand for themselves and import nothing of ours. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  asset(STYLE, style()),
  ...files.filter((name) => !name.endsWith('.css')).map((name) => asset(name, readFileSync(new URL(name, folder)))),
]);

const environment = new nunjucks.Environment(
  new nunjucks.FileSystemLoader(fileURLToPath(new URL('./templates', import.meta.url))),
  { autoescape: true, trimBlocks: true, lstripBlocks: true, throwOnUndefined: false },
);
environment.addFilter('within', within);
environment.addGlobal('asset', (name: string) => assets.get(name)?.path ?? '');
environment.addGlobal(
  'scripts',
  [...assets].flatMap(([name, { path }]) => (name.endsWith('.client.js') ? [path] : [])),
);

environment.addGlobal(
  'words',
  oncePer((t: Texts) => new nunjucks.runtime.SafeString(environment.render('words.njk', { t }))),
);

/** A page as HTML. Whatever data says is escaped. */
export const render = (view: string, data: Record<string, unknown>): string => environment.render(`${view}.njk`, data);
