import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Express } from 'express';

export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

/**
 * Styles and scripts by name. The hash of their content is in their address, so that browsers may keep them for ever.
 */
export const assets: ReadonlyMap<string, Asset> = new Map(
  ['pages.css', 'pages.client.js'].map((name) => {
    const body = readFileSync(new URL(`./static/${name}`, import.meta.url));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    const [, stem, end] = /^(.+)\.(\w+)$/.exec(name)!;
    return [name, { path: `/static/${stem}.${hash}.${end}`, type: end!, body }];
  }),
);

export function serveAssets(app: Express): void {
  for (const { path, type, body } of assets.values())
    app.get(path, (_req, res) => {
      res
        .set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' })
        .type(type)
        .send(body);
    });
}
