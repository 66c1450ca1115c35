import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readOptions } from './options.ts';
import { type Delivery, printed } from './print.ts';

const program = fileURLToPath(new URL('../receiver.ts', import.meta.url));
const ending: (() => void)[] = [];
afterEach(() => { for (const end of ending.splice(0)) end(); });

async function run(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  ending.push(() => child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => { output.out += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { output.err += chunk.toString(); });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  await Promise.race([once(child.stderr, 'data'), exited]);
  return { child, output, exited, url: /http:\S+/.exec(output.err)?.[0] ?? '' };
}

describe('receiver', () => {
  test('prints what it gets and ends cleanly', async () => {
    const { child, output, exited, url } = await run('--port', '0');
    const body = JSON.stringify({ event: 'created', object_type: 'dcim.site', data: { display: 'BER1' } });
    const answer = await fetch(`${url}hook`, { method: 'POST', body, headers: { 'X-Env': 'prod' } });
    expect([answer.status, await answer.text()]).toEqual([200, 'received\n']);
    expect(output.out).toMatch(/^#1 {2}POST \/hook {2}\S+ {2}created dcim.site BER1\n/);
    expect(output.out).toContain('\nX-Env: prod\n');
    expect(output.out).toContain('\n{\n  "event": "created",\n');
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  });

  test('--json, --fail, --delay and --secret', async () => {
    const { output, url } = await run('--port', '0', '--json', '--fail', '503', '--delay', '100ms', '--secret', 's');
    const began = performance.now();
    const signature = createHmac('sha512', 's').update('x').digest('hex');
    for (const headers of [{ 'X-Hook-Signature': signature }, { 'X-Hook-Signature': 'wrong' }, {}]) {
      expect((await fetch(url, { method: 'PUT', body: 'x', headers: headers as Record<string, string> })).status).toBe(503);
    }
    expect(performance.now() - began).toBeGreaterThan(290);
    const lines = output.out.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ number, method, body, signature: verdict }) => [number, method, body, verdict])).toEqual([[1, 'PUT', 'x', 'valid'], [2, 'PUT', 'x', 'wrong'], [3, 'PUT', 'x', 'missing']]);
  });

  test('a port in use is said clearly', async () => {
    const first = await run('--port', '0');
    const port = new URL(first.url).port;
    const second = await run('--port', port);
    expect((await second.exited)[0]).toBe(1);
    expect(second.output.err).toContain(`Port ${port} is in use`);
  });

  test('what a sender writes does not steer the terminal', () => {
    const delivery: Delivery = { number: 1, time: new Date(0), method: 'POST', path: '/', headers: [['X', 'a\u001b[31mb\u0007']], body: Buffer.from('\u001b]0;title\u0007x\r\ny'), verdict: 'wrong' };
    expect(printed(delivery, false)).toBe('#1  POST /  1970-01-01T00:00:00.000Z\nX: ab\ufffd\nSignature wrong\n\nx\ufffd\ny\n\n');
    expect(printed(delivery, true)).toContain('\u001b[');
  });

  test('the command line', () => {
    expect(readOptions([])).toEqual({ port: 9000, host: '127.0.0.1', json: false, status: 200, delayMs: 0, secret: null, help: false });
    expect(readOptions(['--delay', '2s']).delayMs).toBe(2_000);
    for (const wrong of [['--port', 'x'], ['--port', '70000'], ['--fail', '99'], ['--delay', '2h'], ['--nope']]) expect(() => readOptions(wrong)).toThrow();
  });
});
