import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'cadastre-admin-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `npm run admin` without a running system, with `input` on its standard input. */
function admin(words: string[], input = ''): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [fileURLToPath(new URL('./main.ts', import.meta.url)), ...words],
      { env: { PATH: process.env['PATH'], DATA_DIR: folder } },
      (failed, out, error) => {
        resolve({ code: Number(failed?.code ?? 0), out, error });
      },
    );
    child.stdin!.end(input);
  });
}

test('a command that there is not is answered with those that there are', async () => {
  const all =
    'Known are: parked list, parked show, parked replay, parked discard, replicas list, replicas verify, replicas rebuild, tokens list, tokens policy, tokens rotate, tokens revoke, users reset-factors, users machine, users list, users create, users reset-password, users enable, users disable, token.';
  expect(await admin(['parkd', 'list'])).toMatchObject({
    code: 2,
    error: expect.stringContaining(`There is no command "parkd list". ${all}`),
  });
  expect(await admin(['parked', 'lst'])).toMatchObject({
    code: 2,
    error: expect.stringContaining(`There is no command "parked lst". ${all}`),
  });
  expect(await admin([])).toMatchObject({ code: 2, error: expect.stringContaining(`No command was given. ${all}`) });
});

test('where no system runs, --url is named', async () => {
  expect(await admin(['parked', 'list'])).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^No system is running on DATA_DIR \S+ \(npm start starts one\)\. Name the system with --url, [^\n]+\n$/,
    ),
  });
});

test('a token is made of a name and a password, and nothing else is printed', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (text: string) => {
        body += text;
      })
      .on('end', () => {
        asked.push(`${request.url} ${body}`);
        const right = (JSON.parse(body) as { password: string }).password === 'right';
        response
          .writeHead(right ? 201 : 403, { 'content-type': 'application/json' })
          .end(JSON.stringify(right ? { version: 2, key: 'k', token: 't' } : { detail: 'Invalid username/password.' }));
      });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await admin(['token', '--url', url, '--user', 'root'], 'right\nrest')).toEqual({
      code: 0,
      out: 'Bearer svc_k.t\n',
      error: '',
    });
    expect(asked).toEqual([
      '/api/users/tokens/provision/ {"username":"root","password":"right","description":"npm run admin -- token"}',
    ]);
    expect(await admin(['token', '--url', url], 'wrong\n')).toMatchObject({
      code: 1,
      out: '',
      error: `${url} gave no token: Invalid username/password.\n`,
    });
    expect(await admin(['token', '--url', url])).toMatchObject({ code: 1, error: 'No password was given.\n' });
    expect(await admin(['token', '--url', url, '--token', 'known'])).toMatchObject({ code: 0, out: 'Token known\n' });
  } finally {
    server.close();
  }
});
