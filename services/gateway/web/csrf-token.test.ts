import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { csrfTokenOf } from './csrf-token.ts';

const PROOF = 'nonce-_1.1700000000.signature';

/** A request whose body is here already, as the gateway waits for it. */
async function having(body: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const stream = new Readable({ read: () => undefined });
  stream.push(Buffer.from(body, 'latin1'));
  stream.push(null);
  stream.read(0);
  return Object.assign(stream, { headers }) as unknown as IncomingMessage;
}
const proofIn = async (body: string, headers?: Record<string, string>) => csrfTokenOf(await having(body, headers));

const parts = (...fields: [name: string, value: string][]): string =>
  `${fields.map(([name, value]) => `--B0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--B0undary--\r\n`;

describe('the proof of a form', () => {
  test('is its first field, in either encoding', async () => {
    expect(await proofIn(`proof=${PROOF}&name=x`)).toBe(PROOF);
    expect(await proofIn(`proof=${PROOF}`)).toBe(PROOF);
    expect(await proofIn(parts(['proof', PROOF], ['name', 'x']))).toBe(PROOF);
  });

  test('counts nowhere else', async () => {
    expect(await proofIn(`name=x&proof=${PROOF}`)).toBe('');
    expect(await proofIn(`xproof=${PROOF}&name=x`)).toBe('');
    expect(await proofIn(parts(['name', 'x'], ['proof', PROOF]))).toBe('');
    // What somebody has uploaded says what it likes.
    expect(await proofIn(parts(['file', `\r\nproof=${PROOF}&`]))).toBe('');
    expect(await proofIn(`name=proof=${PROOF}`)).toBe('');
  });

  test('is nothing where there is none, or not what a proof looks like', async () => {
    expect(await proofIn('')).toBe('');
    expect(await proofIn('proof=&name=x')).toBe('');
    expect(await proofIn('proof=a%20b&name=x')).toBe('');
    expect(await proofIn(`proof=${'x'.repeat(201)}&name=x`)).toBe('');
    expect(await proofIn('{"proof":"x"}')).toBe('');
  });

  test('comes as a header from scripts, whatever the body is', async () => {
    expect(await proofIn('{"name":"x"}', { 'x-proof': PROOF })).toBe(PROOF);
    expect(await proofIn('', { 'x-proof': PROOF })).toBe(PROOF);
  });

  test('leaves the body as it is, to be read by whoever it is for', async () => {
    const body = `proof=${PROOF}&comments=${'x'.repeat(100_000)}`;
    const request = await having(body);
    csrfTokenOf(request);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    expect(text).toBe(body);
  });
});
