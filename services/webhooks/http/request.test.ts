import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createPool, createRenderer } from '@cadastre/templates';
import { parseHeaders, wireHeaders } from './headers.ts';
import { maskedHeaders, maskedUrl } from './mask.ts';
import { buildRequest, destinationKey } from './request.ts';
import type { Webhook } from './webhook.ts';
import { retryDelay } from './retry.ts';

const pool = createPool({ size: 1, timeoutMs: 1_000, memoryMb: 64 });
const renderer = createRenderer(pool, 100_000);
afterAll(() => pool.close());

const webhook: Webhook = {
  id: 1,
  name: 'w',
  payloadUrl: 'http://127.0.0.1:9000/{{ object_type }}',
  httpMethod: 'POST',
  httpContentType: 'application/json',
  additionalHeaders: 'X-Site: {{ data.name | header_safe }}\nX-Env: prod',
  bodyTemplate: '',
  secret: 's3cr3t',
  sslVerification: true,
  caFilePath: null,
};
const payload = JSON.stringify({ event: 'created', object_type: 'dcim.site', data: { name: 'BER1\r\nX-Evil: 1' } });
const build = (changes: Partial<Webhook>) => buildRequest({ ...webhook, ...changes }, payload, renderer);

describe('requests', () => {
  test('URL, headers and signature; the default body is the payload itself', async () => {
    const request = await build({});
    expect(request.url.href).toBe('http://127.0.0.1:9000/dcim.site');
    expect(request.method).toBe('POST');
    expect(request.body.toString()).toBe(payload);
    expect(Object.fromEntries(request.headers)).toEqual({
      'User-Agent': 'Cadastre-Webhook/1',
      'Content-Type': 'application/json',
      'X-Site': 'BER1X-Evil: 1',
      'X-Env': 'prod',
      'X-Hook-Signature': createHmac('sha512', 's3cr3t').update(payload).digest('hex'),
    });
  });

  test('the signature is the HMAC-SHA512 of the body as it is sent', async () => {
    const request = await build({ bodyTemplate: '{"text": "admin created ign1"}', secret: 'key' });
    expect(request.headers.find(([name]) => name === 'X-Hook-Signature')?.[1]).toBe(
      'ea51313e4460c2d92531b5750f75d9b09d769f38e0890e874a0edc47693879d5ed1b22b2edbbd6b407f899073972b767199377273a2e20e9f98f70ba32baf9c7',
    );
  });

  test('the headers of Standard Webhooks, where they are wanted', async () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', time: new Date(1614265330_000) };
    const signed = async (secret: string) =>
      Object.fromEntries(
        (
          await buildRequest(
            { ...webhook, secret, additionalHeaders: 'webhook-id: mine', bodyTemplate: '{"test": 2432232314}' },
            payload,
            renderer,
            message,
          )
        ).headers,
      );
    // The example of the specification.
    expect(await signed('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toMatchObject({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'X-Hook-Signature': expect.stringMatching(/^[0-9a-f]{128}$/),
    });
    expect(await signed('s3cr3t')).toMatchObject({
      'webhook-signature': `v1,${createHmac('sha256', 's3cr3t').update(`${message.id}.1614265330.{"test": 2432232314}`).digest('base64')}`,
    });
    expect(await signed('')).not.toHaveProperty('webhook-signature');
  });

  test('own headers replace ours; credentials in the URL become a header', async () => {
    const request = await build({
      payloadUrl: 'https://user:p%40ss@example.org/x',
      additionalHeaders: 'content-type: text/plain',
      secret: '',
    });
    expect(Object.fromEntries(request.headers)).toEqual({
      'User-Agent': 'Cadastre-Webhook/1',
      'content-type': 'text/plain',
      Authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
    });
  });

  test('credentials that are not encoded rightly are taken as they stand', async () => {
    const request = await build({ payloadUrl: 'http://100%user:5%zz@example.org/x', secret: '' });
    expect(request.headers.find(([name]) => name === 'Authorization')?.[1]).toBe(
      `Basic ${Buffer.from('100%user:5%zz').toString('base64')}`,
    );
  });

  test.each<[Partial<Webhook>, string]>([
    [{ payloadUrl: 'ftp://example.org/' }, 'Only http and https are supported, not ftp'],
    [{ payloadUrl: 'file:///etc/passwd' }, 'Only http and https are supported, not file'],
    [{ payloadUrl: '{{ data.nothing }}' }, 'Not a URL: ""'],
    [{ payloadUrl: 'http://x/{{ 1 / 0 }}' }, 'Template: division by zero'],
    [{ additionalHeaders: 'no colon' }, 'Headers: line 1: expected a header as "Name: value", got "no colon"'],
    [
      { additionalHeaders: 'A: 1\nTransfer-Encoding: chunked' },
      'Headers: line 2: the header Transfer-Encoding cannot be set',
    ],
    [{ additionalHeaders: 'A B: 1' }, 'Headers: line 1: a header cannot be named "A B"'],
    [{ additionalHeaders: 'A: {{ "x\ty\x01" }}' }, 'Headers: line 1: the value of A has control characters'],
  ])('%j cannot be sent', async (changes, message) => {
    await expect(build(changes)).rejects.toThrow(message);
  });

  test('header values beyond Latin-1 travel as UTF-8', () => {
    expect(wireHeaders(parseHeaders('A: ü\nB: 日'))).toEqual(['A', 'ü', 'B', Buffer.from('日').toString('latin1')]);
  });

  test('what is kept holds no secrets', () => {
    expect(
      maskedHeaders([
        ['X-Hook-Signature', 'abc'],
        ['Authorization', 'Bearer x'],
        ['X-Api-Key', 'x'],
        ['Accept', 'y'],
      ]),
    ).toEqual({ 'X-Hook-Signature': '********', Authorization: '********', 'X-Api-Key': '********', Accept: 'y' });
    expect(maskedUrl('https://user:pass@example.org/x?token=abc&a=1')).toBe(
      'https://********:********@example.org/x?token=********&a=1',
    );
    expect(maskedUrl('http://example.org/a b')).toBe('http://example.org/a b');
  });

  test.each([
    ['http://example.org/a/{{ b }}', 'http://example.org'],
    ['HTTP://Example.org:80', 'http://example.org'],
    ['https://u:p@example.org:8443/x', 'https://example.org:8443'],
    ['http://{{ host }}/', 'webhook:1'],
    ['http://example.org{{ x }}', 'webhook:1'],
    ['nonsense', 'webhook:1'],
  ])('the destination of %s is %s', (payloadUrl, destination) => {
    expect(destinationKey({ id: 1, payloadUrl })).toBe(destination);
  });
});

describe('retries', () => {
  const options = { retries: 3, firstDelayMs: 1_000, maxDelayMs: 5_000 };
  const failed = (
    kind: 'connection' | 'status' | 'template',
    status: number | null = null,
    retryAfterMs: number | null = null,
  ) => ({ status, error: { kind, text: '' }, retryAfterMs });
  test('only by setting, only for what may pass, doubling, honouring Retry-After', () => {
    expect(retryDelay(failed('connection'), 1, { ...options, retries: 0 })).toBeNull();
    expect(retryDelay({ status: 200, error: null, retryAfterMs: null }, 1, options)).toBeNull();
    expect(retryDelay(failed('template'), 1, options)).toBeNull();
    expect(retryDelay(failed('status', 404), 1, options)).toBeNull();
    expect(retryDelay(failed('connection'), 1, options, () => 0)).toBe(500);
    expect(retryDelay(failed('connection'), 2, options, () => 1)).toBe(2_000);
    expect(retryDelay(failed('status', 503, 3_000), 1, options)).toBe(3_000);
    expect(retryDelay(failed('status', 429, 99_000), 1, options)).toBe(5_000);
    expect(retryDelay(failed('connection'), 4, options)).toBeNull();
  });
});
