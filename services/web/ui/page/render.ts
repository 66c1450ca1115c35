import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { assetsPath } from '@cadastre/service/web';
import nunjucks from 'nunjucks';
import { within } from '../texts/within.ts';
import { oncePer } from '../memoize.ts';
import { sourcesOf } from './sources.ts';
import type { Texts } from '../texts/texts.ts';

export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

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
function style(): Buffer {
  const common = COMMON.map((name) => `${name}.css`);
  const placeOf = ({ name }: { name: string }): number => (common.includes(name) ? common.indexOf(name) : Infinity);
  const texts = sourcesOf('.css')
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : Number(placeOf(a) > placeOf(b))))
    .map(({ path }) => readFileSync(path, 'utf8'));
  return Buffer.from(texts.join('\n'));
}

/** The hash of what is in a file is in its address, so that browsers may keep it for ever. */
function asset(name: string, body: Buffer): [string, Asset] {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const [, stem, end] = /^(.+)\.(\w+)$/.exec(name)!;
  return [name, { path: `${assetsPath}${stem}.${hash}.${end}`, type: end!, body }];
}

/** The style and the scripts of the pages by name; scripts stand for themselves and import nothing of ours. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  asset(STYLE, style()),
  ...sourcesOf('.client.js').map(({ name, path }) => asset(name, readFileSync(path))),
]);

/** Templates name each other by their file's name, whichever folder that is in. */
const folders = new Set(sourcesOf('.njk').map(({ path }) => dirname(path)));

const environment = new nunjucks.Environment(new nunjucks.FileSystemLoader([...folders]), {
  autoescape: true,
  trimBlocks: true,
  lstripBlocks: true,
  throwOnUndefined: false,
});
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
