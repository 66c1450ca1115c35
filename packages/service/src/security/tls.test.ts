import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect as connectTcp } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../tests/support/eventually.ts';
import { certificateFile, peerCertificate } from '../../../../tools/testing/certificates/index.ts';
import { testKeys } from '../../../../tools/testing/secrets/keys.ts';
import { ConfigError, loadConfig, peerHttpUrl } from '../settings/config.ts';
import { type GrpcClient, grpcClient, grpcService, GrpcStatus, startGrpcServer } from '../grpc/index.ts';
import { createHttpServer } from '../http/server.ts';
import { createLog } from '../observe/log.ts';
import { peerHttp, type Way } from '../peers/peer-http.ts';
import { publicTls, type ListenerTls, peerListenerTls, peerTls } from './tls.ts';

const lines: string[] = [];
const log = createLog(
  'test',
  { logLevel: 'info', logFormat: 'json' },
  {
    write: (line) => {
      lines.push(line);
    },
  },
);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(tls: ListenerTls | undefined): Promise<number> {
  const http = createHttpServer({
    log,
    tls,
    routes: (app) => {
      app.get('/hello', (_request, response) => {
        response.send('hello');
      });
    },
  });
  closing.push(() => http.close());
  return http.listen(0, '127.0.0.1');
}
/** The answer that a client gets, or why it gets none. */
const asked = (port: number, options: object, ask = request): Promise<string> =>
  new Promise((done) => {
    ask({ host: '127.0.0.1', port, path: '/hello', agent: false, ...options }, (response) => {
      response.resume().on('end', () => done(String(response.statusCode)));
    })
      .on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
      .end();
  });
const file = (name: Parameters<typeof certificateFile>[0]) => readFileSync(certificateFile(name), 'utf8');
const listenerTls = (cert: string, key: string): ListenerTls =>
  publicTls(loadConfig({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }))!;
const believing = { ca: file('ca.pem'), servername: 'localhost' };

/** The suite that TLS 1.2 negotiates with a client that supports only these. */
const suiteWith = (port: number, ciphers: string, options: ConnectionOptions): Promise<string> =>
  new Promise((done) => {
    const given = { ...options, maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` } as const;
    const socket = connect({ host: '127.0.0.1', port, ...given }, () => {
      done(socket.getCipher().name);
      socket.destroy();
    }).on('error', () => done('refused'));
  });

describe('the gateway', () => {
  const own = () => listenerTls(certificateFile('server.pem'), certificateFile('server.key'));
  test('speaks TLS where it has a certificate, and nothing else there', async () => {
    const port = await listen(own());
    expect(await asked(port, believing)).toBe('200');
    expect(await asked(port, { servername: 'localhost' })).toMatch(/CERT|SIGNATURE/);
    expect(await asked(port, {}, plainRequest as typeof request)).not.toBe('200');
  });

  test('speaks nothing older than TLS 1.2', async () => {
    const port = await listen(own());
    const version = (max: NonNullable<ConnectionOptions['maxVersion']>) =>
      new Promise((done) => {
        const socket = connect(
          {
            host: '127.0.0.1',
            port,
            ...believing,
            minVersion: 'TLSv1',
            maxVersion: max,
            ciphers: 'DEFAULT@SECLEVEL=0',
          },
          () => {
            done(socket.getProtocol());
            socket.destroy();
          },
        ).on('error', () => done('refused'));
      });
    expect(await Promise.all((['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const).map(version))).toEqual([
      'refused',
      'refused',
      'TLSv1.2',
      'TLSv1.3',
    ]);
  });

  test('speaks by suites with forward secrecy and authenticated encryption alone, the strongest first', async () => {
    const port = await listen(own());
    const suite = (ciphers: string) => suiteWith(port, ciphers, believing);
    expect(
      await Promise.all(
        [
          'ECDHE-ECDSA-AES256-SHA384',
          'ECDHE-ECDSA-AES128-SHA256',
          'ECDHE-ECDSA-AES128-SHA',
          'ECDHE-ECDSA-AES256-CCM',
        ].map(suite),
      ),
    ).toEqual(Array(4).fill('refused'));
    expect(await suite('ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384')).toBe(
      'ECDHE-ECDSA-AES256-GCM-SHA384',
    );
  });

  test('is not kept busy by those who speak something else, or nothing', async () => {
    const port = await listen(own());
    const answer = await new Promise((done) => {
      const socket = connectTcp(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n\r\n'))
        .on('close', () => done('closed'))
        .on('error', () => undefined)
        .resume();
    });
    expect([answer, await asked(port, believing)]).toEqual(['closed', '200']);
  });

  test('takes up another certificate without a restart, and keeps the one before when that is of no use', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tls-'));
    const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
    closing.push(() => rmSync(folder, { recursive: true }));
    const put = (name: 'server' | 'gateway') => {
      copyFileSync(certificateFile(`${name}.pem`), cert);
      copyFileSync(certificateFile(`${name}.key`), key);
    };
    put('server');
    const port = await listen({ ...listenerTls(cert, key), lookMs: 50 });
    const other = { ca: file('peers.pem'), servername: 'gateway' };
    expect([await asked(port, believing), await asked(port, other)]).toEqual([
      '200',
      expect.stringMatching(/CERT|SIGNATURE/),
    ]);
    put('gateway');
    await eventually(async () => expect(await asked(port, other)).toBe('200'));
    copyFileSync(certificateFile('server.key'), key);
    await eventually(async () =>
      expect(lines.join('')).toContain('the certificates that have changed cannot be used; those before stay'),
    );
    expect(await asked(port, other)).toBe('200');
  });
});

describe('between services', () => {
  const keys = testKeys('gateway', 'dcim', 'auth');
  const configOf = (
    service: string,
    certificate: Parameters<typeof peerCertificate>[0],
    more: Record<string, string> = {},
  ) => loadConfig({ ...keys(service), ...peerCertificate(certificate), GRPC_TIMEOUT_MS: '10000', ...more });
  const dcim = () => listen(peerListenerTls(configOf('dcim', 'dcim'), ['gateway']));
  const peersOf = (certificate: Parameters<typeof peerCertificate>[0], port: number, service: string) =>
    peerHttp(configOf('gateway', certificate, { [`${service.toUpperCase()}_HTTP_URL`]: `https://127.0.0.1:${port}` }));
  const agentOf = (way: Way) => ('agent' in way ? way.agent({}) : undefined)!;
  const fetched = async (certificate: Parameters<typeof peerCertificate>[0], port: number, service = 'dcim') => {
    try {
      return (await peersOf(certificate, port, service).fetch(service, '/hello')).status;
    } catch {
      return 'refused';
    }
  };
  const proxied = (certificate: Parameters<typeof peerCertificate>[0], port: number, service = 'dcim') =>
    asked(port, { agent: agentOf(peersOf(certificate, port, service).way(service)) });

  test('HTTP is for the gateway, by its certificate, and for nobody without or with another', async () => {
    const port = await dcim();
    expect(await Promise.all([fetched('gateway', port), proxied('gateway', port)])).toEqual([200, '200']);
    for (const certificate of ['auth', 'stranger'] as const) {
      expect(await fetched(certificate, port)).toBe('refused');
      expect(await proxied(certificate, port)).not.toBe('200');
    }
    expect(await asked(port, { ca: file('peers.pem'), servername: 'dcim' })).not.toBe('200');
    expect(await asked(port, {}, plainRequest as typeof request)).not.toBe('200');
  });

  test('the gateway believes only a service whose certificate is for it', async () => {
    const port = await dcim();
    const stranger = await listen({
      files: [],
      callers: ['gateway'],
      read: () => ({ ca: file('peers.pem'), cert: file('stranger.pem'), key: file('stranger.key') }),
    });
    expect(await fetched('gateway', port, 'auth')).toBe('refused');
    expect(await proxied('gateway', port, 'auth')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await fetched('gateway', stranger)).toBe('refused');
    expect(await proxied('gateway', stranger)).toMatch(/CERT|SIGNATURE/);
  });

  test('gRPC demands both, and a certificate for the name that the caller proves', async () => {
    interface Echo {
      Say(request: { text: string }): { text: string };
      Count(request: object): AsyncIterable<object>;
    }
    const name = {
      proto: fileURLToPath(new URL('../grpc/fixtures/echo.proto', import.meta.url)),
      service: 'test.Echo',
    };
    const callers = ['gateway', 'auth'];
    const echo = grpcService<Echo>(
      name,
      { Say: callers, Count: callers },
      { Say: ({ text }) => ({ text }), Count: async function* () {} },
    );
    const server = await startGrpcServer({
      name: 'dcim',
      port: 0,
      host: '127.0.0.1',
      services: [echo],
      config: configOf('dcim', 'dcim'),
      log,
    });
    closing.push(server.close);
    const said = async (from: string, to: string, config: ReturnType<typeof loadConfig>): Promise<number | string> => {
      const client: GrpcClient<Echo> = grpcClient<Echo>({
        ...name,
        address: `127.0.0.1:${server.port}`,
        from,
        to,
        config,
      });
      try {
        return (await client.Say({ text: 'hi' }, { failFast: true })).text;
      } catch (error) {
        return (error as { code: number }).code;
      } finally {
        client.close();
      }
    };
    expect(await said('gateway', 'dcim', configOf('gateway', 'gateway'))).toBe('hi');
    expect(await said('auth', 'dcim', configOf('auth', 'auth'))).toBe('hi');
    // The key of one service and the certificate of another.
    expect(await said('gateway', 'dcim', configOf('gateway', 'auth'))).toBe(GrpcStatus.UNAUTHENTICATED);
    expect(await said('gateway', 'dcim', configOf('gateway', 'stranger'))).toBe(GrpcStatus.UNAVAILABLE);
    expect(await said('gateway', 'dcim', loadConfig(keys('gateway')))).toBe(GrpcStatus.UNAVAILABLE);
    // The certificate is not for the service that was called.
    expect(await said('gateway', 'auth', configOf('gateway', 'gateway'))).toBe(GrpcStatus.UNAVAILABLE);
    // It accepts the same cipher suites as the gateway.
    const spoken = await Promise.all(
      ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA', 'ECDHE-ECDSA-AES256-GCM-SHA384'].map((suite) =>
        suiteWith(server.port, suite, {
          ...peerTls(configOf('gateway', 'gateway'))!,
          servername: 'dcim',
          ALPNProtocols: ['h2'],
        }),
      ),
    );
    expect(spoken).toEqual(['refused', 'refused', 'ECDHE-ECDSA-AES256-GCM-SHA384']);
  });
});

describe('settings', () => {
  const problem = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.join();
      throw error;
    }
    return undefined;
  };
  test('need each other', () => {
    expect(problem(() => loadConfig({ TLS_CERT_FILE: '/x' }))).toBe(
      'TLS_CERT_FILE and TLS_KEY_FILE are required with each other',
    );
    expect(problem(() => loadConfig({ PEER_TLS_CA_FILE: '/x', PEER_TLS_CERT_FILE: '/x' }))).toBe(
      'PEER_TLS_CA_FILE, PEER_TLS_CERT_FILE and PEER_TLS_KEY_FILE are required with each other',
    );
  });
  test('name files that can be used, and fit', () => {
    expect(problem(() => listenerTls('/nowhere', certificateFile('server.key')).read())).toBe(
      'TLS_CERT_FILE cannot be read: ENOENT',
    );
    expect(problem(() => listenerTls(certificateFile('server.pem'), certificateFile('gateway.key')).read())).toMatch(
      /^TLS_CERT_FILE and TLS_KEY_FILE cannot be used together: /,
    );
    expect(problem(() => peerTls(loadConfig({ ...peerCertificate('gateway'), PEER_TLS_CA_FILE: '/nowhere' })))).toBe(
      'PEER_TLS_CA_FILE cannot be read: ENOENT',
    );
    expect(peerTls(loadConfig({}))).toBeUndefined();
  });
  test('no address without TLS where certificates are to be looked at, nor the other way round', () => {
    expect(
      problem(() =>
        peerHttpUrl(loadConfig({ ...peerCertificate('gateway'), DCIM_HTTP_URL: 'http://dcim:8000' }), 'dcim'),
      ),
    ).toBe('DCIM_HTTP_URL must begin with https:, as PEER_TLS_CERT_FILE is set');
    expect(problem(() => peerHttpUrl(loadConfig({ DCIM_HTTP_URL: 'https://dcim:8000' }), 'dcim'))).toBe(
      'DCIM_HTTP_URL must begin with http:, or PEER_TLS_CERT_FILE be set',
    );
    expect(
      peerHttpUrl(loadConfig({ ...peerCertificate('gateway'), DCIM_HTTP_URL: 'https://dcim:8000/' }), 'dcim'),
    ).toBe('https://dcim:8000');
  });
});
