import { dirname } from 'node:path';
import { type Asset, asset, baseStyles, formScripts, joined, scriptAsset } from '@cadastre/pages/assets';
import { assetsPath } from '@cadastre/service/web';
import nunjucks from 'nunjucks';
import { within } from '../texts/within.ts';
import { oncePer } from '../memoize.ts';
import { sourcesOf } from './sources.ts';
import type { Texts } from '../texts/texts.ts';

const STYLE = 'web.css';

/** The styles that all pages share, in this order: later ones may override earlier ones. */
const COMMON = ['frame', 'controls', 'tables', 'badges', 'ways', 'panels', 'fields', 'notices', 'changes', 'narrow'];

/** All styles are one file: what the pages have in common comes first, then each topic. */
function style(): Buffer {
  const common = COMMON.map((name) => `${name}.css`);
  const placeOf = ({ name }: { name: string }): number => (common.includes(name) ? common.indexOf(name) : Infinity);
  const own = sourcesOf('.css').toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : Number(placeOf(a) > placeOf(b))));
  return joined([...baseStyles, ...own.map(({ path }) => path)]);
}

/** The style and the scripts of the pages by name; scripts are self-contained and import none of our modules. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  asset(assetsPath, STYLE, style()),
  ...[...formScripts, ...sourcesOf('.client.js').map(({ path }) => path)].map((path) => scriptAsset(assetsPath, path)),
]);

/** Templates include each other by file name, regardless of the folder. */
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

/** A page as HTML. All data is escaped. */
export const render = (view: string, data: Record<string, unknown>): string => environment.render(`${view}.njk`, data);
