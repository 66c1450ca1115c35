import { fileURLToPath } from 'node:url';
import { type Asset, asset, baseStyles, formScripts, joined, scriptAsset } from '@cadastre/pages/assets';

const own = fileURLToPath(new URL('pages.css', import.meta.url));

/** The style and the scripts of the pages of the login, by name. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  asset('/static/', 'pages.css', joined([...baseStyles, own])),
  ...formScripts.map((path) => scriptAsset('/static/', path)),
]);

export const scripts: readonly string[] = [...assets.values()].flatMap(({ type, path }) =>
  type === 'js' ? [path] : [],
);
