import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import {
  deliveries,
  ended,
  makeSite,
  makeWebhook as webhookTo,
  sample,
  soon,
  webhooks,
} from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const makeWebhook = (more: object = {}) => webhookTo(used.admin, receiver, more);
const mask = '********';

/**
 * Everything that can be read of a webhook: its representations, its change records, its deliveries, and what the
 * tables of the service hold.
 */
async function readable(webhook: Body): Promise<string> {
  const name = encodeURIComponent(webhook.name);
  const texts = await Promise.all(
    [
      `${webhooks}${webhook.id}/`,
      `${webhooks}${webhook.id}/?fields=name,secret,secrets,payload_url,additional_headers,credentials`,
      `${webhooks}?name=${name}`,
      `${webhooks}?name=${name}&brief=true`,
      `${webhooks}?name=${name}&export`,
      `${deliveries}?webhook_id=${webhook.id}`,
      `/extras/webhooks/${webhook.id}/`,
    ].map(async (path) => (await used.admin.as(used.admin.authorization).get(path)).text),
  );
  const { results } = await used.admin.read(`${deliveries}?webhook_id=${webhook.id}`);
  for (const { id } of results) texts.push((await used.admin.get(`${deliveries}${id}/`)).text);
  const changes = await eventually(async () => {
    const found = await used.admin.get(
      `/api/extras/object-changes/?changed_object_type=extras.webhook&changed_object_id=${webhook.id}`,
    );
    expect(found.body.count).toBeGreaterThan(0);
    return found.text;
  }, soon);
  return [...texts, changes, await stored()].join('\n');
}

/** What the service's database holds of webhooks, deliveries and events. */
async function stored(): Promise<string> {
  const url = new URL(used.system.postgres);
  url.pathname = '/cadastre_webhooks';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    const texts: string[] = [];
    for (const table of ['extras_webhook', 'webhook_delivery', 'webhook_attempt', 'change'])
      texts.push(JSON.stringify((await client.query(`select to_jsonb(t)::text as row from ${table} t`)).rows));
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

/** Sends a sample, and returns what the receiver got and the delivery's record. */
async function delivered(
  webhook: Body,
  path = `/${webhook.name}`,
  status = 'succeeded',
): Promise<{ got: Receiver['received'][number] | undefined; one: Body }> {
  const made = await sample(used.admin, webhook, await makeSite(used.admin));
  return { one: await ended(used.admin, made.body.id, status), got: receiver.at(path)[0] };
}

describe('values that only deliveries know', () => {
  const values = {
    token: `tok-${unique()}`,
    user: `user-${unique()}`,
    pass: `p"ss ${unique()}`,
    path: `hid-${unique()}`,
  };
  const everyForm = Object.values(values).flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ]);

  test('they are sent, and shown nowhere', async () => {
    const name = unique('hook');
    const { url } = receiver;
    const webhook = await used.admin.make(webhooks, {
      name,
      payload_url: `${url}/${name}/{{ secrets.path }}?key={{ secrets.token | urlencode }}`,
      additional_headers: 'Authorization: Bearer {{ secrets.token }}\nX-Site: {{ data.name }} {{ secrets.user }}',
      body_template:
        '{"password": "{{ secrets.pass }}", "half": "{{ secrets.token[0:8] }}", "long": {% if secrets.token | length > 9 %}true{% else %}false{% endif %}, "big": "{{ secrets.token | upper }}"}',
      secrets: values,
    });
    expect(webhook).not.toHaveProperty('secrets');
    expect(webhook.additional_headers).toContain('Bearer {{ secrets.token }}');
    expect((await used.admin.read(`${webhooks}${webhook.id}/?fields=secrets`)).secrets).toEqual({
      token: mask,
      user: mask,
      pass: mask,
      path: mask,
    });
    const { one, got } = await delivered(webhook, `/${name}/${values.path}?key=${values.token}`);
    expect(got!.headers).toMatchObject({ authorization: `Bearer ${values.token}` });
    expect(got!.body.toString()).toContain(values.pass);
    const [attempt] = one.attempt_log;
    expect(attempt.request_headers).toMatchObject({ Authorization: mask, 'X-Site': expect.stringContaining(mask) });
    // Nothing in the record is derived from the values: neither a part of one, nor the result of a condition on one.
    expect(attempt.request_body).toBe(`{"password": "${mask}", "half": "${mask}", "long": false, "big": "${mask}"}`);
    const text = await readable(webhook);
    for (const form of [...everyForm, values.token.toUpperCase(), `"${values.token.slice(0, 8)}"`])
      expect(text).not.toContain(form);
  });

  test('what the receiver gives back of them is masked, and so are errors', async () => {
    const { createServer } = await import('node:http');
    const echo = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (c: Buffer) => chunks.push(c))
        .on('end', () => {
          response.setHeader('x-back', String(request.headers['x-own']));
          response.end(
            `you sent ${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks).toString()} ${btoa(values.token)}`,
          );
        });
    });
    await new Promise<void>((resolve) => {
      echo.listen(0, '127.0.0.1', resolve);
    });
    const { port } = echo.address() as { port: number };
    try {
      const webhook = await makeWebhook({
        payload_url: `http://127.0.0.1:${port}/{{ secrets.path }}`,
        additional_headers: 'X-Own: {{ secrets.user }}',
        body_template: '{{ secrets.token }}',
        secrets: values,
      });
      const { one } = await delivered(webhook);
      expect(one.attempt_log[0].response_body).toContain(`you sent /${mask}`);
      const broken = await makeWebhook({
        payload_url: 'http://{{ secrets.user }}.invalid/{{ secrets.path }}',
        secrets: values,
      });
      await delivered(broken, '', 'failed');
      const wrong = await makeWebhook({
        payload_url: '{{ secrets.token }}',
        additional_headers: '{{ secrets.user }}',
        secrets: values,
      });
      await delivered(wrong, '', 'failed');
      for (const each of [webhook, broken, wrong]) {
        const text = await readable(each);
        for (const form of everyForm) expect(text).not.toContain(form);
      }
    } finally {
      echo.close();
    }
  });

  test('a template that names one that is not there says so', async () => {
    for (const more of [{ secrets: { token: 'abcd' } }, {}]) {
      const { one } = await delivered(
        await makeWebhook({ body_template: '{{ secrets.nope }}', ...more }),
        '',
        'failed',
      );
      expect([one.error_kind, one.error]).toEqual(['template', expect.stringContaining("'secrets' has no 'nope'")]);
    }
  });

  test('masks keep them, null takes one away, what is not named stays', async () => {
    const webhook = await makeWebhook({
      additional_headers: 'X-A: {{ secrets.a }}\nX-B: {{ secrets.b }}',
      secrets: { a: 'aaaa-1', b: 'bbbb-1', c: 'cccc-1' },
    });
    const own = `${webhooks}${webhook.id}/`;
    const names = async () => (await used.admin.read(`${own}?fields=secrets`)).secrets;
    expect((await used.admin.patch(own, { secrets: { a: mask, b: 'bbbb-2', c: null } })).status).toBe(200);
    expect(await names()).toEqual({ a: mask, b: mask });
    expect((await used.admin.put(own, { name: webhook.name, payload_url: webhook.payload_url })).status).toBe(200);
    expect(await names()).toEqual({ a: mask, b: mask });
    const { got } = await delivered(webhook);
    expect(got!.headers).toMatchObject({ 'x-a': 'aaaa-1', 'x-b': 'bbbb-2' });
    for (const [secrets, where] of [
      [{ d: mask }, 'd'],
      [{ 'a b': 'aaaa' }, 'a b'],
      [{ a: 'abc' }, 'a'],
      [{ a: 1 }, 'a'],
      [{ a: ['x'] }, 'a'],
    ] as const) {
      expect(await used.admin.patch(own, { secrets })).toMatchObject({
        status: 400,
        body: { secrets: { [where]: [expect.any(String)] } },
      });
    }
    for (const secrets of [
      'x',
      ['a'],
      null,
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, 'abcd'])),
    ])
      expect(await used.admin.patch(own, { secrets })).toMatchObject({
        status: 400,
        body: { secrets: expect.any(Array) },
      });
    expect((await used.admin.get(`${webhooks}?ordering=secrets&name=${webhook.name}`)).status).toBe(200);
  });
});

describe('credentials that stand in the texts of a webhook', () => {
  const given = () => ({
    user: `me-${unique()}`,
    pass: `pw-${unique()}`,
    key: `key-${unique()}`,
    header: `hdr-${unique()}`,
  });

  test('they are sent, masked wherever they are shown, and stay when the masks come back', async () => {
    const { user, pass, key, header } = given();
    const name = unique('hook');
    const at = receiver.url.replace('//', `//${user}:${pass}@`);
    const webhook = await used.admin.make(webhooks, {
      name,
      payload_url: `${at}/${name}?api_key=${key}&x=1`,
      additional_headers: `X-Env: prod\nX-Vault-Token: ${header}\nCookie: a=${header}`,
      secret: `sig-${user}`,
    });
    expect(webhook).toMatchObject({
      payload_url: `${receiver.url.replace('//', `//${mask}:${mask}@`)}/${name}?api_key=${mask}&x=1`,
      additional_headers: `X-Env: prod\nX-Vault-Token: ${mask}\nCookie: ${mask}`,
      secret: mask,
    });
    // As clients do that write back what they have read.
    for (const send of [used.admin.patch.bind(used.admin), used.admin.put.bind(used.admin)])
      expect((await send(`${webhooks}${webhook.id}/`, { ...webhook, owner: null, description: unique() })).status).toBe(
        200,
      );
    const { got } = await delivered(webhook, `/${name}?api_key=${key}&x=1`);
    expect(got!.headers).toMatchObject({
      authorization: `Basic ${btoa(`${user}:${pass}`)}`,
      'x-vault-token': header,
      cookie: `a=${header}`,
      'x-env': 'prod',
    });
    const text = await readable(webhook);
    for (const secret of [user, pass, key, header, btoa(`${user}:${pass}`)]) expect(text).not.toContain(secret);
  });

  test('they cannot be found by trying', async () => {
    const { user, pass } = given();
    const webhook = await makeWebhook({ payload_url: receiver.url.replace('//', `//${user}:${pass}@`) });
    for (const query of [
      `payload_url=${pass.slice(0, 5)}`,
      `payload_url=${user}`,
      `q=${pass}`,
      `secret=${pass}`,
      'credentials__isw=sealed',
      `credentials__empty=true`,
    ]) {
      const ids = await used.admin.column(`${webhooks}?name=${webhook.name}&${query}`, 'id');
      expect([query, query.startsWith('credentials') ? [] : ids]).toEqual([query, []]);
    }
  });

  test('they do not go along to another address', async () => {
    const { user, pass } = given();
    const webhook = await makeWebhook({ payload_url: receiver.url.replace('//', `//${user}:${pass}@`) });
    const own = `${webhooks}${webhook.id}/`;
    const elsewhere = webhook.payload_url.replace('127.0.0.1', 'localhost');
    expect(await used.admin.patch(own, { payload_url: elsewhere })).toMatchObject({
      status: 400,
      body: { payload_url: [expect.stringContaining(mask)] },
    });
    expect(await used.admin.post(webhooks, { name: unique('hook'), payload_url: webhook.payload_url })).toMatchObject({
      status: 400,
      body: { payload_url: [expect.any(String)] },
    });
    expect(await used.admin.patch(own, { additional_headers: `Authorization: Bearer ${mask}` })).toMatchObject({
      status: 400,
      body: { additional_headers: [expect.any(String)] },
    });
    const { body } = await used.admin.patch(own, { payload_url: elsewhere.replaceAll(mask, 'new') });
    expect(body.payload_url).toBe(elsewhere);
  });
});
