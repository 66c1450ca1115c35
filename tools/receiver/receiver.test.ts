import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readOptions } from './options.ts';
import { type Delivery, jsonLine, printed } from './print.ts';
import { verdictOf, verify } from './signature.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

async function run(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  ending.push(() => child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  // Once it has ended and all that it printed has come.
  const exited = once(child, 'close') as Promise<[number | null, string | null]>;
  await Promise.race([once(child.stderr, 'data'), exited]);
  return { child, output, exited, url: /http:\S+/.exec(output.err)?.[0] ?? '' };
}

describe('receiver', () => {
  test('prints what it gets and ends cleanly', async () => {
    const { child, output, exited, url } = await run('--port', '0');
    const body = JSON.stringify({ event: 'created', object_type: 'dcim.site', data: { display: 'BER1' } });
    const answer = await fetch(`${url}hook`, { method: 'POST', body, headers: { 'X-Env': 'prod' } });
    expect([answer.status, await answer.text()]).toEqual([200, 'received\n']);
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    // Nobody looks at it at a terminal.
    expect(output.out).not.toContain('\u001b');
    expect(output.out).toMatch(/^#1 {2}POST \/hook {2}\S+ {2}created dcim.site BER1\n/);
    expect(output.out).toContain('\nX-Env: prod\n');
    expect(output.out).toContain('\n{\n  "event": "created",\n');
  });

  test('--json, --fail, --delay and --secret', async () => {
    const { child, output, exited, url } = await run(
      '--port',
      '0',
      '--json',
      '--fail',
      '503',
      '--delay',
      '100ms',
      '--secret',
      's',
    );
    const began = performance.now();
    const signature = createHmac('sha512', 's').update('x').digest('hex');
    for (const headers of [{ 'X-Hook-Signature': signature }, { 'X-Hook-Signature': 'wrong' }, {}]) {
      expect((await fetch(url, { method: 'PUT', body: 'x', headers: headers as Record<string, string> })).status).toBe(
        503,
      );
    }
    expect(performance.now() - began).toBeGreaterThan(290);
    child.kill('SIGINT');
    await exited;
    const lines = output.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ number, method, body, signature: verdict }) => [number, method, body, verdict])).toEqual([
      [1, 'PUT', 'x', 'valid'],
      [2, 'PUT', 'x', 'wrong'],
      [3, 'PUT', 'x', 'missing'],
    ]);
  });

  test('every signature of a request is looked at, also those of Standard Webhooks', () => {
    // The example of the Standard Webhooks specification.
    const body = Buffer.from('{"test": 2432232314}');
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const sent = 1_614_265_330_000;
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const verdicts = (more: Record<string, string>, now = sent, key = secret) =>
      verify(body, { ...headers, ...more }, key, now).map(({ verdict }) => verdict);
    expect(verify(body, headers, secret, sent)).toEqual([{ header: 'webhook-signature', verdict: 'valid' }]);
    expect(verdicts({ 'webhook-signature': `v1,xxx v1a,yyy ${headers['webhook-signature']}` })).toEqual(['valid']);
    for (const wrong of [
      { 'webhook-id': 'other' },
      { 'webhook-timestamp': '1614265331' },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': headers['webhook-signature'].slice(3) },
    ] as Record<string, string>[])
      expect(verdicts(wrong)).toEqual(['wrong']);
    expect(verdicts({}, sent, 'whsec_other')).toEqual(['wrong']);
    expect([verdicts({}, sent + 300_000), verdicts({}, sent + 301_000), verdicts({}, sent - 301_000)]).toEqual([
      ['valid'],
      ['expired'],
      ['expired'],
    ]);
    const plain = {
      ...headers,
      'webhook-signature': `v1,${createHmac('sha256', 's').update(`${headers['webhook-id']}.1614265330.${body}`).digest('base64')}`,
      'x-hook-signature': createHmac('sha512', 's').update(body).digest('hex').toUpperCase(),
    };
    expect(verdicts(plain, sent, 's')).toEqual(['valid', 'valid']);
    expect(verdicts({ ...plain, 'x-hook-signature': 'ab' }, sent, 's')).toEqual(['wrong', 'valid']);
    expect([
      verdictOf([]),
      verdictOf(verify(body, { ...plain, 'x-hook-signature': 'ab' }, 's', sent)),
      verdictOf(verify(body, plain, 's', sent + 1e6)),
      verdictOf(verify(body, plain, 's', sent)),
    ]).toEqual(['missing', 'wrong', 'expired', 'valid']);
  });

  test('what became of the signatures is printed', () => {
    const delivery = (checked: Delivery['checked']): Delivery => ({
      number: 1,
      time: new Date(0),
      method: 'POST',
      path: '/',
      headers: [],
      body: Buffer.from(''),
      checked,
    });
    const both = delivery([
      { header: 'X-Hook-Signature', verdict: 'valid' },
      { header: 'webhook-signature', verdict: 'expired' },
    ]);
    expect(printed(both, false)).toContain(
      'Signature valid (X-Hook-Signature)\nSignature expired (webhook-signature)\n',
    );
    expect(JSON.parse(jsonLine(both))).toMatchObject({
      signature: 'expired',
      signatures: { 'X-Hook-Signature': 'valid', 'webhook-signature': 'expired' },
    });
    expect(printed(delivery([]), false)).toContain('Signature missing');
    expect(printed(delivery(null), false)).not.toContain('Signature');
  });

  const terminal = existsSync('/usr/bin/script') ? test : test.skip;
  terminal('at a terminal it has colours, unless they are not wanted', async () => {
    for (const [wanted, env] of [
      [true, {}],
      [false, { NO_COLOR: '1' }],
    ] as const) {
      const child = spawn('/usr/bin/script', ['-qfec', `"${process.execPath}" "${program}" --port 0`, '/dev/null'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
      });
      ending.push(() => child.kill('SIGKILL'));
      let seen = '';
      const until = (found: RegExp) =>
        new Promise<string>((resolve) => {
          const look = () => {
            const at = found.exec(seen);
            if (at) resolve(at[0]);
          };
          child.stdout.on('data', look);
          look();
        });
      child.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
      });
      const url = await until(/http:[^\s]+/);
      await fetch(url, { method: 'POST', body: '{"event":"deleted","object_type":"dcim.site"}' });
      await until(/dcim\.site"/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are
      expect(/\u001b\[31mdeleted/.test(seen)).toBe(wanted);
      child.kill('SIGTERM');
    }
  });

  test('a port in use is said clearly', async () => {
    const first = await run('--port', '0');
    const port = new URL(first.url).port;
    const second = await run('--port', port);
    expect((await second.exited)[0]).toBe(1);
    expect(second.output.err).toContain(`Port ${port} is in use`);
  });

  test('what a sender writes does not steer the terminal', () => {
    const delivery: Delivery = {
      number: 1,
      time: new Date(0),
      method: 'POST',
      path: '/',
      headers: [['X', 'a\u001b[31mb\u0007']],
      body: Buffer.from('\u001b]0;title\u0007x\r\ny'),
      checked: [{ header: 'X-Hook-Signature', verdict: 'wrong' }],
    };
    expect(printed(delivery, false)).toBe(
      '#1  POST /  1970-01-01T00:00:00.000Z\nX: ab\ufffd\nSignature wrong (X-Hook-Signature)\n\nx\ufffd\ny\n\n',
    );
    expect(printed(delivery, true)).toContain('\u001b[');
  });

  test('the command line', () => {
    expect(readOptions([])).toEqual({
      port: 9000,
      host: '127.0.0.1',
      json: false,
      status: 200,
      delayMs: 0,
      secret: null,
      help: false,
    });
    expect(readOptions(['--delay', '2s']).delayMs).toBe(2_000);
    for (const wrong of [
      ['--port', 'x'],
      ['--port', '70000'],
      ['--fail', '99'],
      ['--delay', '2h'],
      ['--delay', '61m'],
      ['--delay', '-1s'],
      ['--fail'],
      ['extra'],
      ['--nope'],
    ])
      expect(() => readOptions(wrong)).toThrow();
  });
});
