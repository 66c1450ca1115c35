import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent, fetch, type RequestInit } from 'undici';
import { certificateFile, peerCertificate } from '../../tools/testing/certificates/index.ts';
import { PASSWORD, startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { eventually } from '../support/eventually.ts';

// The whole system with certificates everywhere: clients use HTTPS, and services call each other with TLS, by HTTP and
// gRPC.

let system: System | undefined;
beforeAll(async () => {
  system = await startSystem({
    PROCESSES: 'each',
    TLS_CERT_FILE: certificateFile('server.pem'),
    TLS_KEY_FILE: certificateFile('server.key'),
    ...peerCertificate('everyone'),
  });
});
afterAll(() => system?.stop());

const believing = new Agent({ connect: { ca: readFileSync(certificateFile('ca.pem'), 'utf8') } });
const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(system!.base + path, { dispatcher: believing, redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
};
const api = async (method: string, path: string, body?: object) => {
  const { status, text } = await ask(path, {
    method,
    headers: { authorization: `Token ${system!.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status, body: text ? JSON.parse(text) : undefined };
};

test('requests are answered, what several services have a part in too', async () => {
  const { status, body: tenant } = await api('POST', '/api/tenancy/tenants/', { name: 'Encrypted', slug: 'encrypted' });
  expect(status).toBe(201);
  const site = await api('POST', '/api/dcim/sites/', { name: 'Sealed', slug: 'sealed', tenant: tenant.id });
  expect(site).toMatchObject({
    status: 201,
    body: { url: expect.stringMatching(/^https:/), tenant: { id: tenant.id } },
  });
  expect((await api('DELETE', `/api/tenancy/tenants/${tenant.id}/`)).status).toBe(409);
  await eventually(async () =>
    expect(
      (await api('GET', `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.body.id}`))
        .body.count,
    ).toBe(1),
  );
  // Calls that the gateway makes itself, with a short timeout.
  await eventually(async () =>
    expect((await api('GET', '/api/status/')).body).toMatchObject({ 'rq-workers-running': 1 }),
  );
  await eventually(async () => expect((await api('GET', '/api/core/replicas/')).body.unavailable).toEqual([]));
  expect(Object.keys((await api('GET', '/api/schema/?format=json')).body.paths)).toEqual(
    expect.arrayContaining(['/api/dcim/sites/', '/api/users/tokens/', '/api/extras/webhooks/']),
  );
});

test('people log in, with cookies that never travel without TLS', async () => {
  const page = await ask('/login/');
  const visit = page.headers.getSetCookie()[0]!;
  const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(page.text)![1]!;
  const entered = await ask('/login/', {
    method: 'POST',
    headers: { cookie: visit.split(';', 1)[0]!, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: 'admin', password: PASSWORD, csrf_token: csrfToken }).toString(),
  });
  const session = entered.headers.getSetCookie().find((one) => one.includes('session'))!;
  expect([entered.status, visit, session]).toEqual([
    303,
    expect.stringContaining('Secure'),
    expect.stringMatching(/^__Host-.*; Secure/),
  ]);
  const cookie = session.split(';', 1)[0]!;
  expect((await ask('/extras/webhook-deliveries/', { headers: { cookie } })).status).toBe(200);
  // A page that one service renders of data that another service has.
  const sites = await ask('/dcim/sites/?brief=true', { headers: { cookie } });
  expect([sites.status, sites.text]).toEqual([200, expect.stringContaining('Sealed')]);
});

/** The first bytes of an answer without TLS; empty when there is no answer. */
const plainly = (port: number) =>
  new Promise<string>((done) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /api/dcim/sites/ HTTP/1.1\r\nHost: x\r\n\r\n'),
    ).setEncoding('latin1');
    let text = '';
    socket
      .on('data', (some) => {
        text += String(some);
      })
      .on('error', () => undefined)
      .on('close', () => done(text));
  });

(existsSync('/proc/self/environ') ? test : test.skip)(
  'nobody is answered without TLS, nor a service asked without a certificate',
  async () => {
    expect(await plainly(Number(new URL(system!.base).port))).not.toContain('HTTP');
    const { services } = JSON.parse(readFileSync(join(system!.folder, 'run.json'), 'utf8')) as {
      services: { name: string; pid: number }[];
    };
    const environment = readFileSync(
      `/proc/${services.find(({ name }) => name === 'dcim')!.pid}/environ`,
      'utf8',
    ).split('\0');
    const port = Number(environment.find((line) => line.startsWith('HTTP_PORT='))!.slice(10));
    expect(await plainly(port)).not.toContain('HTTP');
    const by = (more: object) =>
      fetch(`https://127.0.0.1:${port}/api/dcim/sites/`, {
        dispatcher: new Agent({
          connect: { ca: readFileSync(certificateFile('peers.pem'), 'utf8'), servername: 'dcim', ...more },
        }),
      }).then(
        ({ status }) => status,
        () => 'refused',
      );
    const certificate = (name: 'gateway' | 'auth' | 'stranger') => ({
      cert: readFileSync(certificateFile(`${name}.pem`), 'utf8'),
      key: readFileSync(certificateFile(`${name}.key`), 'utf8'),
    });
    // The gateway's certificate is accepted, but its request names no user.
    expect(
      await Promise.all([by(certificate('gateway')), by({}), by(certificate('auth')), by(certificate('stranger'))]),
    ).toEqual([403, 'refused', 'refused', 'refused']);
  },
);
