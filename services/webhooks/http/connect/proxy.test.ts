import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../../../tools/testing/certificates/index.ts';
import { closing, listening, secure, plain, names, sender } from '../../testing/connections.ts';

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
