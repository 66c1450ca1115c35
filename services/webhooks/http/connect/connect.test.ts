import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../../../tools/testing/certificates/index.ts';
import type { ConnectorOptions } from './connector.ts';
import { closing, listening, secure, plain, names, sender } from '../../testing/connections.ts';

describe('certificates', () => {
  test('are checked, by a CA file if there is one, unless the webhook says otherwise', async () => {
    const url = `https://localhost:${await secure()}/`;
    expect((await sender()(url)).error?.kind).toBe('tls');
    expect(await sender({ tls: { verify: false } })(url)).toMatchObject({ status: 200, error: null });
    expect(await sender({ tls: { caFile: certificateFile('ca.pem') } })(url)).toMatchObject({
      status: 200,
      error: null,
    });
    const elsewhere = sender({
      tls: { caFile: certificateFile('ca.pem') },
      connector: { lookup: names({ 'other.test': [['127.0.0.1']] }) },
    });
    expect((await elsewhere(url.replace('localhost', 'other.test'))).error).toMatchObject({
      kind: 'tls',
      text: expect.stringContaining('other.test'),
    });
  });

  test('come from one folder alone, and of what there is elsewhere, or there, nothing is told', async () => {
    const above = mkdtempSync(join(tmpdir(), 'ca-'));
    const caDir = join(above, 'authorities');
    closing.push(() => rmSync(above, { recursive: true }));
    mkdirSync(join(caDir, 'more'), { recursive: true });
    copyFileSync(certificateFile('ca.pem'), join(above, 'outside.pem'));
    copyFileSync(certificateFile('ca.pem'), join(caDir, 'more', 'ca.pem'));
    writeFileSync(join(caDir, 'secret'), 'password');
    writeFileSync(join(caDir, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    symlinkSync(join(above, 'outside.pem'), join(caDir, 'leads-out.pem'));
    symlinkSync(join(caDir, 'more', 'ca.pem'), join(caDir, 'stays.pem'));
    execFileSync('mkfifo', [join(caDir, 'pipe')]);
    const url = `https://localhost:${await secure()}/`;
    const error = async (caFile: string, connector: Partial<ConnectorOptions> = { caDir }) =>
      (await sender({ tls: { caFile }, connector })(url)).error;
    const refused = {
      kind: 'tls',
      text: 'The CA file cannot be used: it must be a file of certificates in the folder that WEBHOOK_CA_DIR names',
    };
    for (const path of [
      '/etc/passwd',
      '/etc/shadow',
      '/none',
      '/root/none',
      '/dev/zero',
      above,
      caDir,
      join(above, 'outside.pem'),
      join(caDir, '..', 'outside.pem'),
      '../outside.pem',
      'leads-out.pem',
      'secret',
      'none',
      'more',
      'broken.pem',
      'pipe',
      'a'.repeat(4_000),
    ]) {
      expect([path, await error(path)]).toEqual([path, refused]);
    }
    for (const path of [join(caDir, 'more', 'ca.pem'), 'more/ca.pem', 'stays.pem', './more/../more/ca.pem'])
      expect([path, await error(path)]).toEqual([path, null]);
    expect(await error(join(caDir, 'more', 'ca.pem'), { caDir: undefined as never })).toEqual(refused);
  });
});

test('connecting has a limit of its own, which counts until TLS is spoken', async () => {
  const port = await listening(createTcpServer(() => {}));
  expect((await sender({ connector: { connectTimeoutMs: 200 } })(`https://127.0.0.1:${port}/`)).error?.kind).toBe(
    'timeout',
  );
});

describe('the address that is connected to decides', () => {
  const metadata = 'link-local or metadata address';
  test.each([
    'http://169.254.169.254/',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://0251.0376.0251.0376/',
    'http://0251.254.0xa9fe/',
    'http://169.254.43518/',
    'http://169.16689662/',
    'http://169.254.169.254./',
    'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
    'http://169。254。169。254/',
    'http://%31%36%39.254.169.254/',
    'http://user:pw@169.254.169.254/',
    'http://example.org@169.254.169.254/',
    'http://x\t@169.254.169.254/',
    'http:\\\\169.254.169.254\\',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'http://[::a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[fe80::5efe:a9fe:a9fe]/',
    'http://[2001:db8::5efe:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://[fe80::1]/',
    'http://100.100.100.200/',
  ])('%s', async (url) => {
    expect((await sender()(url)).error).toEqual({ kind: 'policy', text: expect.stringContaining(metadata) });
  });

  test.each([
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://[::ffff:0.0.0.0]/',
    'http://255.255.255.255/',
    'http://224.0.0.1/',
    'http://[ff02::1]/',
    'http://240.0.0.1/',
    'http://[64:ff9b:1::1]/',
    'http://[::ffff:0:a00:1]/',
    'http://[fec0::1]/',
    'http://[2001::1]/',
    'http://192.0.0.1/',
  ])('%s is nowhere', async (url) => {
    expect((await sender()(url)).error).toEqual({ kind: 'policy', text: expect.stringContaining('reserved address') });
  });

  /** Closes each connection, so that every delivery connects anew. */
  const fresh = () =>
    listening(
      createServer((request, response) => {
        request.resume();
        response.setHeader('Connection', 'close').end('ok');
      }),
    );

  test('a name that leads elsewhere the next time is looked at each time', async () => {
    const url = `http://rebind.test:${await fresh()}/`;
    const deliver = sender({
      connector: { lookup: names({ 'rebind.test': [['127.0.0.1'], ['169.254.169.254'], ['0.0.0.0']] }) },
    });
    expect((await deliver(url)).status).toBe(200);
    expect((await deliver(url)).error).toEqual({
      kind: 'policy',
      text: `Not allowed: rebind.test (169.254.169.254) is a ${metadata}`,
    });
    expect((await deliver(url)).error?.kind).toBe('policy');
  });

  test('of several addresses only those that are allowed are used', async () => {
    const port = await plain();
    const lookup = names({ 'mixed.test': [['169.254.169.254', '127.0.0.1', 'fe80::1']] });
    expect(await sender({ connector: { lookup } })(`http://mixed.test:${port}/`)).toMatchObject({
      status: 200,
      body: `hello mixed.test:${port}`,
    });
    expect(
      (await sender({ connector: { lookup }, policy: { deny: ['127.0.0.0/8'] } })(`http://mixed.test:${port}/`)).error
        ?.kind,
    ).toBe('policy');
  });

  test('a name that is allowed may lead to private addresses, but not to metadata', async () => {
    const port = await fresh();
    const lookup = names({
      'hooks.test': [['127.0.0.1'], ['169.254.169.254']],
      'hooks.test.': [['127.0.0.1']],
      'other.test': [['127.0.0.1']],
    });
    const deliver = sender({
      connector: { lookup },
      policy: { allowPrivate: false, allow: ['hooks.test'], allowOnly: true },
    });
    expect((await deliver(`http://HOOKS.test:${port}/`)).status).toBe(200);
    expect((await deliver(`http://hooks.test.:${port}/`)).status).toBe(200);
    expect((await deliver(`http://hooks.test:${port}/`)).error).toEqual({
      kind: 'policy',
      text: `Not allowed: hooks.test (169.254.169.254) is a ${metadata}`,
    });
    expect((await deliver(`http://other.test:${port}/`)).error?.text).toBe(
      'Not allowed: other.test (127.0.0.1) is not on the allow list',
    );
  });

  test('each hop of a redirect is a destination', async () => {
    const lookup = names({
      'here.test': [['127.0.0.1']],
      'inside.test': [['169.254.169.254']],
      'denied.test': [['127.0.0.1']],
    });
    const port = await listening(
      createServer((request, response) => {
        request.resume();
        const hops: Record<string, string> = {
          '/one': '/two',
          '/two': 'http://inside.test/',
          '/named': 'http://denied.test/',
          '/number': 'http://2852039166/',
          '/mapped': 'http://[::ffff:a9fe:a9fe]/',
          '/file': 'file:///etc/passwd',
          '/loop': '/loop',
        };
        response.writeHead(307, { Location: hops[request.url ?? ''] ?? '/' }).end();
      }),
    );
    const deliver = sender({ connector: { lookup }, policy: { deny: ['denied.test'] }, maxRedirects: 3 });
    for (const path of ['one', 'named', 'number', 'mapped'])
      expect([path, (await deliver(`http://here.test:${port}/${path}`)).error?.kind]).toEqual([path, 'policy']);
    expect((await deliver(`http://here.test:${port}/file`)).error?.kind).toBe('response');
    expect(await deliver(`http://here.test:${port}/loop`)).toMatchObject({ status: 307, error: { kind: 'status' } });
  });
});
