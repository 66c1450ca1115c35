import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, isIP, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../../tools/testing/certificates/index.ts';
import { type ConnectorOptions, createAgents, type TlsOptions } from './connector.ts';
import { createPolicy, type PolicyOptions } from './policy.ts';
import type { Lookup } from './resolve.ts';
import { type Outcome, send } from './send.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const secure = () =>
  listening(
    createTlsServer(
      { key: readFileSync(certificateFile('server.key')), cert: readFileSync(certificateFile('server.pem')) },
      (request, response) => {
        request.resume();
        response.end(`hello ${request.headers.host}`);
      },
    ),
  );
const plain = (answer = 'hello') =>
  listening(
    createServer((request, response) => {
      request.resume();
      response.end(`${answer} ${request.headers.host}`);
    }),
  );

/** Names to addresses; each look-up of a name gives the next. */
function names(table: Record<string, string[][]>): Lookup {
  const asked = new Map<string, number>();
  return (host, _, done) => {
    const all = table[host],
      turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    if (!all) return done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
    done(
      null,
      all[Math.min(turn, all.length - 1)]!.map((address) => ({ address, family: isIP(address) })),
    );
  };
}

interface Attempt {
  policy?: Partial<PolicyOptions>;
  tls?: Partial<TlsOptions>;
  connector?: Partial<ConnectorOptions>;
  maxRedirects?: number;
}
function sender({
  policy = {},
  tls = {},
  connector = {},
  maxRedirects = 0,
}: Attempt = {}): (url: string) => Promise<Outcome> {
  const agents = createAgents({
    policy: createPolicy({ allowPrivate: true, allow: [], deny: [], allowOnly: false, ...policy }),
    connectTimeoutMs: 2_000,
    connections: 4,
    caDir: dirname(certificateFile('ca.pem')),
    ...connector,
  });
  closing.push(() => agents.close());
  return (url) =>
    send(
      {
        method: 'POST',
        url: new URL(url),
        headers: [],
        body: Buffer.from('{}'),
        tls: { verify: true, caFile: null, ...tls },
      },
      { agents, totalTimeoutMs: 10_000, maxResponseBytes: 100, maxRedirects },
    );
}

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
    const above = mkdtempSync(join(tmpdir(), 'ca-')),
      caDir = join(above, 'authorities');
    closing.push(() => rmSync(above, { recursive: true }));
    mkdirSync(join(caDir, 'more'), { recursive: true });
    copyFileSync(certificateFile('ca.pem'), join(above, 'outside.pem'));
    copyFileSync(certificateFile('ca.pem'), join(caDir, 'more', 'ca.pem'));
    writeFileSync(join(caDir, 'secret'), 'password');
    writeFileSync(join(caDir, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    symlinkSync(join(above, 'outside.pem'), join(caDir, 'leads-out.pem'));
    symlinkSync(join(caDir, 'more', 'ca.pem'), join(caDir, 'stays.pem'));
    execFileSync('mkfifo', [join(caDir, 'pipe')]);
    const url = `https://localhost:${await secure()}/`,
      error = async (caFile: string, connector: Partial<ConnectorOptions> = { caDir }) =>
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
    const url = `http://rebind.test:${await fresh()}/`,
      deliver = sender({
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
    const port = await plain(),
      lookup = names({ 'mixed.test': [['169.254.169.254', '127.0.0.1', 'fe80::1']] });
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
    const port = await fresh(),
      lookup = names({
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

describe('through a proxy', () => {
  /** A proxy that connects everything to one port, and notes what it was asked for. */
  async function proxy(
    to: number,
    answer = 200,
  ): Promise<{ url: URL; asked: { authority: string; credentials: string | undefined }[] }> {
    const asked: { authority: string; credentials: string | undefined }[] = [];
    const server = createServer((_, response) => {
      response.writeHead(405).end();
    });
    server.on('connect', (request, socket, head) => {
      asked.push({ authority: request.url ?? '', credentials: request.headers['proxy-authorization'] });
      if (answer === 0) return;
      if (answer !== 200) return socket.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
      const onward = connect(to, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      closing.push(() => onward.destroy());
    });
    return { url: new URL(`http://user:p%40ss@127.0.0.1:${await listening(server)}`), asked };
  }
  const credentials = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;

  test('the address is looked up and checked here, and the proxy is asked for it', async () => {
    const { url, asked } = await proxy(await plain());
    const deliver = sender({
      connector: {
        proxyFor: () => ({ url, resolves: false }),
        lookup: names({ 'hooks.test': [['198.41.0.4']], 'inside.test': [['169.254.169.254']] }),
      },
    });
    expect(await deliver('http://hooks.test/')).toMatchObject({ status: 200, body: 'hello hooks.test' });
    expect(asked).toEqual([{ authority: '198.41.0.4:80', credentials }]);
    for (const forbidden of ['http://inside.test/', 'http://169.254.169.254/', 'http://[::ffff:a9fe:a9fe]/'])
      expect((await deliver(forbidden)).error?.kind).toBe('policy');
    expect((await deliver('http://nowhere.test/')).error?.kind).toBe('dns');
    expect(asked).toHaveLength(1);
  });

  test('TLS is spoken with the destination, whose name its certificate must have', async () => {
    const { url, asked } = await proxy(await secure());
    const through = { proxyFor: () => ({ url, resolves: true }) };
    expect(
      await sender({ connector: through, tls: { caFile: certificateFile('ca.pem') } })('https://hooks.test/'),
    ).toMatchObject({ status: 200, body: 'hello hooks.test' });
    expect(
      (await sender({ connector: through, tls: { caFile: certificateFile('ca.pem') } })('https://other.test/')).error
        ?.kind,
    ).toBe('tls');
    expect((await sender({ connector: through })('https://hooks.test/')).error?.kind).toBe('tls');
    expect(asked.map(({ authority }) => authority)).toEqual(['hooks.test:443', 'other.test:443', 'hooks.test:443']);
  });

  test('where the proxy resolves, names and literal addresses are checked', async () => {
    const { url, asked } = await proxy(await plain());
    const deliver = sender({
      connector: { proxyFor: () => ({ url, resolves: true }) },
      policy: { deny: ['*.evil.test'] },
    });
    for (const forbidden of [
      'http://a.evil.test/',
      'http://169.254.169.254/',
      'http://2852039166/',
      'http://[fe80::1]/',
    ])
      expect((await deliver(forbidden)).error?.kind).toBe('policy');
    expect(asked).toEqual([]);
    expect((await deliver('http://good.test:8080/')).status).toBe(200);
    expect(
      (
        await sender({
          connector: { proxyFor: () => ({ url, resolves: true }) },
          policy: { allow: ['only.test'], allowOnly: true },
        })('http://good.test/')
      ).error?.text,
    ).toBe('Not allowed: good.test is not on the allow list');
  });

  test('a proxy that refuses, hangs or is not there is a failure of its own', async () => {
    const [refuses, hangs] = [await proxy(0, 407), await proxy(0, 0)];
    const by = (url: URL) =>
      sender({ connector: { connectTimeoutMs: 300, proxyFor: () => ({ url, resolves: true }) } })('http://hooks.test/');
    expect((await by(refuses.url)).error).toEqual({ kind: 'connection', text: 'The proxy answered 407' });
    expect((await by(hangs.url)).error).toEqual({ kind: 'timeout', text: 'The proxy did not connect within 300 ms' });
    expect((await by(new URL('http://127.0.0.1:1'))).error).toEqual({
      kind: 'connection',
      text: expect.stringContaining('The proxy cannot be reached'),
    });
  });
});
