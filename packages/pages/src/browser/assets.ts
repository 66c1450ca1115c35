import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';

/** A style or a script, as browsers get it. */
export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The styles that all pages begin with. Styles that stand after them may override them. */
export const baseStyles: readonly string[] = ['colours.css', 'page.css'].map(here);
/** The scripts of forms that pages of several services have. */
export const formScripts: readonly string[] = ['again.client.js', 'passkeys.client.js'].map(here);

/** Several styles as one file. */
export const joined = (paths: readonly string[]): Buffer =>
  Buffer.from(paths.map((path) => readFileSync(path, 'utf8')).join('\n'));

/**
 * An asset by its name, below a path that ends with a slash. The hash of its content is in its address, so that browsers
 * may keep it for ever.
 */
export function asset(under: string, name: string, body: Buffer): [name: string, Asset] {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const [, stem, end] = /^(.+)\.(\w+)$/.exec(name)!;
  return [name, { path: `${under}${stem}.${hash}.${end}`, type: end!, body }];
}

/** A script by the name of its file. */
export const scriptAsset = (under: string, path: string): [name: string, Asset] =>
  asset(under, basename(path), readFileSync(path));

/** Answers requests for assets. */
export function serveAssets(app: Express, assets: Iterable<Asset>): void {
  for (const { path, type, body } of assets)
    app.get(path, (_request, response) => {
      response
        .set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' })
        .type(type)
        .send(body);
    });
}
