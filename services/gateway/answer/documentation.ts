import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Express, Request, Response } from 'express';
import { contextOf } from '../arrive/request-context.ts';
import { sendRefusal } from '../arrive/json.ts';
import { type Schema, written, type Written } from './schema.ts';
import { startPage } from './start-page.ts';

const swaggerPath = '/api/schema/swagger-ui/';

/** Nothing from elsewhere, no inline scripts; Swagger UI writes style attributes and data: images. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const html = (res: Response, text: string) =>
  res.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }).type('html').send(text);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cadastre: the API</title>
<link rel="stylesheet" href="swagger-ui.css">
<link rel="icon" href="favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="swagger-ui-standalone-preset.js"></script>
<script src="start.js"></script>
</body>
</html>
`;

const start = readFileSync(new URL('documentation.client.js', import.meta.url));

const yamlTypes = ['application/vnd.oai.openapi', 'application/yaml', 'application/x-yaml', 'text/yaml'];
const jsonTypes = ['application/json', 'application/vnd.oai.openapi+json'];

/** The paths that this module answers, so that they are known when the slash is missing. */
export const documentationPaths = ['/api/schema/', swaggerPath] as const;

/**
 * The OpenAPI document, Swagger UI from our own disk, and the start page. None of them depends on the user, so none
 * needs a token.
 */
export function documentation(app: Express, schema: () => Promise<Schema>): void {
  app.get('/', (req, res) => {
    html(res, startPage(contextOf(req).base));
  });

  app.get('/api/schema/', async (req, res) => {
    const type = typeAsked(req);
    const query = queryOf(req);
    if (!type) return sendRefusal(req, res, { status: 406, detail: 'The schema is available as JSON and as YAML.' });
    const document = await schema();
    const { etag, apps } = document;
    const app = query.get('app') ?? undefined;
    if (app !== undefined && !apps.includes(app))
      return sendRefusal(req, res, {
        status: 404,
        detail: `There is no app of this name. There are ${apps.join(', ')}.`,
      });
    const format = jsonTypes.includes(type) ? 'json' : 'yaml';
    res.set({
      ETag: `W/"${[etag, format, ...(app ? [app] : [])].join('-')}"`,
      Vary: 'Accept, Accept-Encoding',
      'Cache-Control': 'no-cache',
      Allow: 'GET, HEAD, OPTIONS',
    });
    if (req.fresh) return void res.status(304).end();
    const text = await document.written({ format, app });
    res.setHeader('Content-Type', `${type}; charset=utf-8`);
    await sendWritten(req, res, text);
  });

  app.get(swaggerPath, (_req, res) => {
    html(res, page);
  });
  app.get(`${swaggerPath}start.js`, (_req, res) => {
    res.type('js').send(start);
  });
  app.get(`${swaggerPath}apps.json`, async (_req, res) => {
    res.set('Cache-Control', 'no-cache').json((await schema()).apps);
  });
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [file, type] of [
    ['swagger-ui.css', 'css'],
    ['swagger-ui-bundle.js', 'js'],
    ['swagger-ui-standalone-preset.js', 'js'],
    ['favicon-32x32.png', 'png'],
  ] as const) {
    let kept: Written | undefined;
    app.get(swaggerPath + file, async (req, res) => {
      kept ??= written(gzipSync(readFileSync(join(folder, file))));
      res.set({ 'Cache-Control': 'public, max-age=86400', Vary: 'Accept-Encoding' }).type(type);
      await sendWritten(req, res, kept);
    });
  }
}

/** The media type to answer with: `?format=` before `Accept`, and JSON for a client without a preference. */
function typeAsked(req: Request): string | null {
  const format = queryOf(req).get('format');
  if (format !== null) return format === 'json' ? 'application/json' : format === 'yaml' ? 'application/yaml' : null;
  // A client that asks for indentation gets it compact, as it is written once for all.
  if (req.headers.accept !== undefined)
    req.headers.accept = req.headers.accept.replace(/;\s*indent\s*=\s*[^;,]*/gi, '');
  return req.accepts([...jsonTypes, ...yamlTypes]) || null;
}

const queryOf = (req: Request): URLSearchParams => new URLSearchParams(req.url.split('?', 2)[1] ?? '');

/** Sends what is kept compressed, decompressed only for a client that cannot read it. */
async function sendWritten(req: Request, res: Response, text: Written): Promise<void> {
  if (req.acceptsEncodings('gzip', 'identity') === 'gzip') res.set('Content-Encoding', 'gzip').send(text.packed);
  else res.send(await text.plain());
}
