import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { listening, names, plain, sender } from '../../testing/connections.ts';
import { internalEndpoints } from './internalEndpoints.ts';

const lookup = names({ 'evil.test': [['127.0.0.1']], 'mapped.test': [['::ffff:127.0.0.1']] });

/** A port of this machine where the system itself listens; requests to it are counted. */
async function guarded() {
  const asked: string[] = [];
  const port = await listening(
    createServer((request, response) => {
      asked.push(request.url!);
      response.end('secret');
    }),
  );
  const own = internalEndpoints([{ host: '127.0.0.1', port }]);
  const deliver = sender({ policy: { own, allow: ['127.0.0.0/8'] }, connector: { lookup }, maxRedirects: 3 });
  return { asked, port, deliver };
}

test('nothing is sent to a port of the system, under whatever name or address', async () => {
  const { asked, port, deliver } = await guarded();
  const refused = { kind: 'policy', text: expect.stringContaining(`port ${port} belongs to this system`) };
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    'evil.test',
    'mapped.test',
  ])
    expect([host, (await deliver(`http://${host}:${port}/metrics`)).error]).toEqual([host, refused]);
  expect(asked).toEqual([]);
});

test('nor does a redirect lead there; other ports of the machine are open', async () => {
  const { asked, port, deliver } = await guarded();
  const redirecting = await listening(
    createServer((_, response) => {
      response.writeHead(307, { location: `http://evil.test:${port}/metrics` }).end();
    }),
  );
  expect((await deliver(`http://127.0.0.1:${redirecting}/`)).error).toMatchObject({ kind: 'policy' });
  expect(asked).toEqual([]);
  expect(await deliver(`http://evil.test:${await plain()}/`)).toMatchObject({ status: 200 });
});
