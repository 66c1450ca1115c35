import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { csrfTokenOf } from './csrf-token.ts';

const TOKEN = 'nonce-_1.1700000000.signature';

/** A request whose body is here already, as the gateway waits for it. */
async function having(body: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const stream = new Readable({ read: () => undefined });
  stream.push(Buffer.from(body, 'latin1'));
  stream.push(null);
  stream.read(0);
  return Object.assign(stream, { headers }) as unknown as IncomingMessage;
}
const csrfTokenIn = async (body: string, headers?: Record<string, string>) => csrfTokenOf(await having(body, headers));

const parts = (...fields: [name: string, value: string][]): string =>
  `${fields.map(([name, value]) => `--B0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--B0undary--\r\n`;

describe('the CSRF token of a form', () => {
  test('is its first field, in either encoding', async () => {
    expect(await csrfTokenIn(`csrf_token=${TOKEN}&name=x`)).toBe(TOKEN);
    expect(await csrfTokenIn(`csrf_token=${TOKEN}`)).toBe(TOKEN);
    expect(await csrfTokenIn(parts(['csrf_token', TOKEN], ['name', 'x']))).toBe(TOKEN);
  });

  test('counts nowhere else', async () => {
    expect(await csrfTokenIn(`name=x&csrf_token=${TOKEN}`)).toBe('');
    expect(await csrfTokenIn(`xcsrf_token=${TOKEN}&name=x`)).toBe('');
    expect(await csrfTokenIn(parts(['name', 'x'], ['csrf_token', TOKEN]))).toBe('');
    // The content of an uploaded file is under the uploader's control.
    expect(await csrfTokenIn(parts(['file', `\r\ncsrf_token=${TOKEN}&`]))).toBe('');
    expect(await csrfTokenIn(`name=csrf_token=${TOKEN}`)).toBe('');
  });

  test('is nothing where there is none, or not what a token looks like', async () => {
    expect(await csrfTokenIn('')).toBe('');
    expect(await csrfTokenIn('csrf_token=&name=x')).toBe('');
    expect(await csrfTokenIn('csrf_token=a%20b&name=x')).toBe('');
    expect(await csrfTokenIn(`csrf_token=${'x'.repeat(201)}&name=x`)).toBe('');
    expect(await csrfTokenIn('{"csrf_token":"x"}')).toBe('');
  });

  test('comes as a header from scripts, whatever the body is', async () => {
    expect(await csrfTokenIn('{"name":"x"}', { 'x-csrf-token': TOKEN })).toBe(TOKEN);
    expect(await csrfTokenIn('', { 'x-csrf-token': TOKEN })).toBe(TOKEN);
  });

  test('leaves the body as it is, to be read by whoever it is for', async () => {
    const body = `csrf_token=${TOKEN}&comments=${'x'.repeat(100_000)}`;
    const request = await having(body);
    csrfTokenOf(request);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    expect(text).toBe(body);
  });
});
