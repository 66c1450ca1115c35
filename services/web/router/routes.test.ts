import { resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { html, type OwnPage } from '@cadastre/pages';
import { loadConfig } from '@cadastre/service/config';
import { HttpError } from '@cadastre/service/errors';
import { identityHeader, signIdentity } from '@cadastre/service/identity';
import { identitySigningKey } from '@cadastre/service/key-pairs';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import { webRoutes } from './routes.ts';

const config = loadConfig(testKeys('gateway', 'web')('gateway'));
let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue(resolve(import.meta.dirname, '../..'));
});

/** A page as the user receives it, and the resulting log entries. */
async function opened(render: OwnPage['render']) {
  const logged: object[] = [];
  const app = express();
  webRoutes({
    log: { error: (about: object) => logged.push(about) } as never,
    config,
    catalogue,
    fetch: async () => new Response('{}', { headers: { 'content-type': 'application/json' } }),
    permissionsOf: async () => ({ version: 1, permissions: [] }) as never,
    parts: {
      panels: [],
      pages: [{ path: '/dcim/tried/', title: 'Tried', render }],
      actions: [],
      listActions: [],
      banners: [],
      cells: [],
      widgets: [],
    },
    renderer: {} as never,
    imports: {} as never,
    bodies: { of: () => undefined },
  })(app);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  try {
    const identity = { userId: 1, username: 'ann', superuser: true, permissionsVersion: 1, tokenId: null };
    const response = await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}/dcim/tried/`, {
      headers: {
        [identityHeader]: await signIdentity(
          { anonymous: false, writeEnabled: true, configVersion: '', ...identity },
          identitySigningKey(config),
          60,
        ),
        'x-request-id': 'request-7',
      },
    });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text(), logged };
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

test('a page that fails says so as a page, with what its log has it under and nothing of why', async () => {
  const failed = await opened(async () => {
    throw new RangeError('of a secret');
  });
  expect([failed.status, failed.type]).toEqual([500, 'text/html; charset=utf-8']);
  expect(failed.text).toContain('details under request-7.');
  expect(failed.text).not.toContain('of a secret');
  expect(failed.logged).toEqual([
    { err: expect.any(RangeError), request_id: 'request-7', method: 'GET', url: '/dcim/tried/' },
  ]);
});

test('what the API refuses is no fault', async () => {
  const refused = await opened(async () => {
    throw new HttpError(404, { detail: 'No object <b>matches</b>.' });
  });
  expect([refused.status, refused.logged]).toEqual([404, []]);
  expect(refused.text).toContain('No object &lt;b&gt;matches&lt;/b&gt;.');
});

test('a page that does not fail is shown', async () => {
  const shown = await opened(async () => html`<p>here</p>`);
  expect([shown.status, shown.logged]).toEqual([200, []]);
  expect(shown.text).toContain('<p>here</p>');
});
