import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { ended, makeRule, makeSite, makeWebhook, sample } from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
const list = '/extras/webhook-deliveries/';
const replays = '/extras/webhook-replays/';
const type = 'extras.webhookdelivery';
let receiver: Receiver;
let admin: Session;
beforeAll(async () => {
  receiver = await startReceiver();
  admin = await logIn(used.system.base, 'admin', adminPassword);
});
afterAll(() => receiver.close());

const of = async (...grants: Parameters<typeof userWith>[1][]): Promise<Session> =>
  logIn(used.system.base, (await userWith(used.admin, ...grants)).name, 'Correct-Horse-9');

async function failing(): Promise<{ webhook: Body; site: Body; id: number }> {
  const site = await makeSite(used.admin);
  const webhook = await makeWebhook(used.admin, receiver);
  receiver.answer(500);
  const { id } = (await sample(used.admin, webhook, site)).body;
  await ended(used.admin, id, 'failed');
  receiver.answer(200);
  return { webhook, site, id };
}
/** The number in a tile. */
const tile = (html: string, state: string): number =>
  Number(new RegExp(`data-key="${state}"><strong>([\\d,]+)<`).exec(html)?.[1]?.replaceAll(',', ''));

describe('the list', () => {
  test('names objects, webhooks and states, each with its link', async () => {
    const { webhook, site, id } = await failing();
    const { html } = await admin.get(`${list}?webhook_id=${webhook.id}`);
    for (const text of [
      `href="${list}${id}/">#${id} Created`,
      `href="/dcim/sites/${site.id}/">${site.name}</a>`,
      'href="/dcim/sites/">Site</a>',
      `href="/extras/webhooks/${webhook.id}/">${webhook.name}</a>`,
      '<span class="badge" data-value="failed">Failed</span>',
      '<strong>500</strong> The receiver answered 500',
    ])
      expect(html).toContain(text);
    expect(html).toMatch(/<time datetime="[^"]+Z" title="\d{4}-\d\d-\d\d [\d:]+ UTC" data-relative>/);
  });
  test('has tiles and a heading that follow the filters', async () => {
    const { webhook } = await failing();
    const here = `${list}?webhook_id=${webhook.id}`;
    const all = await admin.get(here);
    expect([tile(all.html, 'failed'), tile(all.html, 'succeeded')]).toEqual([1, 0]);
    expect(all.html).toContain('<h2>All deliveries</h2>');
    const failed = await admin.get(`${here}&status=failed`);
    expect(failed.html).toContain('<h2>Failed deliveries</h2>');
    expect(failed.html).toMatch(/data-key="failed"[^>]*>|aria-current="true" data-key="failed"/);
    expect(failed.html).toContain('Requeue all 1<');
    const none = await admin.get(`${here}&status=succeeded`);
    expect([none.status, none.html.includes('Requeue all')]).toEqual([200, false]);
    // There are no deliveries from the year 2100 on.
    expect(tile((await admin.get(`${here}&created__gte=2100-01-01T00:00:00Z`)).html, 'failed')).toBe(0);
  });
  test('finds objects by their names, for those who may view them', async () => {
    const { site, id } = await failing();
    expect((await admin.get(`${list}?q=${site.name}`)).html).toContain(`href="${list}${id}/"`);
    expect((await admin.get(`${list}?object_name__ic=${site.name}`)).html).toContain(`href="${list}${id}/"`);
    const blind = await of({ types: [type], actions: ['view'] });
    for (const query of [`q=${site.name}`, `object_name__ic=${site.name}`]) {
      const { status, html } = await blind.get(`${list}?${query}`);
      expect([status, html.includes(`href="${list}${id}/"`)]).toEqual([200, false]);
    }
    const one = await blind.get(`${list}${id}/`);
    expect([one.status, one.html.includes(site.name), one.html.includes(`#${site.id}</a>`)]).toEqual([
      200,
      false,
      true,
    ]);
  });
  test('is where it was before, in the words of before', async () => {
    for (const [asked, to] of [
      ['/core/background-tasks/', list],
      ['/core/background-tasks/?state=failed&webhook_id=1', `${list}?status=failed&webhook_id=1`],
    ] as const)
      expect(await admin.get(asked)).toMatchObject({ status: 303, location: to });
  });
  test('refuses what is no state, no kind of error, and no number', async () => {
    for (const [query, said] of [
      ['status=nope', '“nope” is none of them: pending, running, succeeded, failed, cancelled.'],
      ['error_kind=nope', '“nope” is none of them: template'],
      ['response_status=x', 'Response status'],
      ['object_id=x', 'Enter a'],
      ['object_type=dcim.nothing', '“dcim.nothing” is no type of objects'],
      ['replay_id=x', 'Replay'],
      ['state=failed', 'state'],
    ] as const) {
      const { status, html } = await admin.get(`${list}?${query}`);
      expect([query, status, html.toLowerCase().includes(said.toLowerCase())]).toEqual([query, 400, true]);
    }
  });
  test('has several requeued, those that are ticked or all that the filters select', async () => {
    const [one, other, third] = [await failing(), await failing(), await failing()];
    const at = `${list}requeue/?status=failed&webhook_id=${one.webhook.id}`;
    const csrfToken = await admin.csrfToken(`${list}?webhook_id=${one.webhook.id}`);
    expect((await admin.post(at, { csrf_token: csrfToken })).status).toBe(400);
    expect((await admin.post(at, { _all: '1' })).status).toBe(403);
    expect(await admin.post(at, { csrf_token: csrfToken, _all: '1' })).toMatchObject({
      status: 303,
      location: `${list}?status=failed&webhook_id=${one.webhook.id}&_done=requeued-1`,
    });
    await ended(used.admin, one.id, 'succeeded');
    expect((await admin.get(`${list}?_done=requeued-1`)).html).toContain('1 delivery requeued.');
    expect(await admin.post(`${list}requeue/`, { csrf_token: csrfToken, pk: String(other.id) })).toMatchObject({
      status: 303,
      location: `${list}?_done=requeued-1`,
    });
    await ended(used.admin, other.id, 'succeeded');
    expect((await used.admin.read(`/api${list}${third.id}/`)).status.value).toBe('failed');
    const reader = await of({ types: [type], actions: ['view'] });
    const { html } = await reader.get(list);
    expect(html).not.toContain('requeue/');
  });
});

describe('one delivery', () => {
  test('says what became of it and what to do, and is requeued without any script', async () => {
    const { webhook, site, id } = await failing();
    const path = `${list}${id}/`;
    const { html } = await admin.get(path);
    for (const text of [
      'The receiver answered 500',
      'The receiver failed by itself.',
      'Request headers',
      `href="/dcim/sites/${site.id}/">${site.name}</a>`,
      `href="/extras/webhooks/${webhook.id}/">${webhook.name}</a>`,
      `/extras/webhooks/${webhook.id}/test/?object_type=dcim.site&amp;object_id=${site.id}`,
    ])
      expect(html).toContain(text);
    expect(html).toMatch(/<button type="submit" class="main">Requeue</);
    const csrfToken = await admin.csrfToken(path);
    expect(await admin.post(`${path}requeue/`, { csrf_token: csrfToken })).toMatchObject({
      status: 303,
      location: `${path}?_done=requeued`,
    });
    await ended(used.admin, id, 'succeeded');
    const after = (await admin.get(`${path}?_done=requeued`)).html;
    expect(after).toMatch(/The delivery was requeued\.[\s\S]*Attempt 2[\s\S]*Attempt 1/);
    // A successful delivery is rarely sent again.
    expect(after).toMatch(/<button type="submit">Requeue</);
    const refused = await admin.post(`${path}cancel/`, { csrf_token: csrfToken });
    expect([refused.status, refused.html.includes(`href="${path}"`)]).toEqual([409, true]);
  });
  test('leads to its rule and its change record', async () => {
    const webhook = await makeWebhook(used.admin, receiver);
    // Other files create sites meanwhile.
    const own = unique('site');
    const rule = await makeRule(used.admin, webhook, {
      name: unique('A rule with a rather long name'),
      conditions: { attr: 'slug', op: 'regex', value: `^${own}-` },
    });
    const site = await makeSite(used.admin, own);
    const id = await eventually(async () => {
      const { results } = await used.admin.read(`/api${list}?webhook_id=${webhook.id}`);
      expect(results).toHaveLength(1);
      return results[0].id;
    });
    await eventually(async () => {
      const { html } = await admin.get(`${list}${id}/`);
      expect(html).toContain(`href="/extras/event-rules/${rule.id}/"`);
      expect(html).toMatch(new RegExp(`<dt>Change record</dt><dd><a href="/core/changelog/\\d+/">[^<]*${site.name}`));
    });
  });
});

describe('one webhook', () => {
  test('shows how the last day went, what failed last, and masks', async () => {
    const { webhook, site, id } = await failing();
    await sample(used.admin, webhook, site);
    await used.admin.patch(`/api/extras/webhooks/${webhook.id}/`, {
      additional_headers: 'Authorization: Token abc-secret',
    });
    await eventually(async () => {
      const { html } = await admin.get(`/extras/webhooks/${webhook.id}/`);
      expect(html).toMatch(/50 %<\/strong> <span class="faint">1 of 2</);
      expect(html).toContain('1 succeeded, 1 failed');
    });
    const { html } = await admin.get(`/extras/webhooks/${webhook.id}/`);
    expect(html).toContain(`href="${list}${id}/">#${id}`);
    expect(html).not.toContain('abc-secret');
    expect(html).not.toMatch(/style=/);
    const figures = await used.admin.read(`/api/extras/webhooks/${webhook.id}/statistics/`);
    expect(figures).toMatchObject({ succeeded: 1, failed: 1, median_ms: expect.any(Number) });
    expect(figures.hours).toHaveLength(1);
  });
  test('tells of no deliveries that somebody may not see', async () => {
    const { webhook } = await failing();
    const reader = await of({ types: ['extras.webhook'], actions: ['view'] });
    const { status, html } = await reader.get(`/extras/webhooks/${webhook.id}/`);
    expect([status, html.includes('Last day'), html.includes('Last failures')]).toEqual([200, false, false]);
    expect((await reader.get(`/api/extras/webhooks/${webhook.id}/statistics/`)).status).toBe(403);
    const some = await of(
      { types: ['extras.webhook'], actions: ['view'] },
      { types: [type], actions: ['view'], constraints: { status: 'succeeded' } },
    );
    const told = await some.get(`/api/extras/webhooks/${webhook.id}/statistics/`);
    expect(JSON.parse(told.html)).toMatchObject({ succeeded: 0, failed: 0, median_ms: null });
  });
  test('has rules, which are switched off and on from there', async () => {
    const webhook = await makeWebhook(used.admin, receiver);
    const rule = await makeRule(used.admin, webhook);
    const path = `/extras/webhooks/${webhook.id}/`;
    const { html } = await admin.get(path);
    expect(html).toContain(`href="/extras/event-rules/${rule.id}/">${rule.name}</a>`);
    const csrfToken = await admin.csrfToken(path);
    const at = `/extras/event-rules/${rule.id}/`;
    expect(await admin.post(`${at}disable/`, { csrf_token: csrfToken, back: path })).toMatchObject({
      status: 303,
      location: path,
    });
    expect((await used.admin.read(`/api${at}`)).enabled).toBe(false);
    expect(await admin.post(`${at}enable/`, { csrf_token: csrfToken, back: '//evil.example/' })).toMatchObject({
      status: 303,
      location: at,
    });
    expect((await used.admin.read(`/api${at}`)).enabled).toBe(true);
  });
  test('is tested with what its rules are about', async () => {
    const webhook = await makeWebhook(used.admin, receiver);
    await makeRule(used.admin, webhook);
    const site = await makeSite(used.admin);
    const path = `/extras/webhooks/${webhook.id}/test/`;
    expect((await admin.get(path)).html).toContain(
      'data-finds="{&quot;dcim.site&quot;:&quot;/dcim/sites/options/&quot;}"',
    );
    const csrfToken = await admin.csrfToken(path);
    const wrong = await admin.post(path, {
      csrf_token: csrfToken,
      object_type: 'dcim.site',
      object_id: '999999999',
      event: 'deleted',
    });
    expect([wrong.status, wrong.html.includes('id="object_id-problem"'), /selected>Deleted/.test(wrong.html)]).toEqual([
      400,
      true,
      true,
    ]);
    const sent = await admin.post(path, {
      csrf_token: csrfToken,
      object_type: 'dcim.site',
      object_id: String(site.id),
      event: 'created',
    });
    expect([sent.status, sent.location]).toEqual([
      303,
      expect.stringMatching(/^\/extras\/webhook-deliveries\/\d+\/\?_done=tested$/),
    ]);
    expect((await admin.get(sent.location!)).html).toContain('The test is on its way.');
  });
});

describe('a replay', () => {
  test('says beforehand how many it would send, is started, and shows how far it is', async () => {
    const site = await makeSite(used.admin);
    const webhook = await makeWebhook(used.admin, receiver);
    const path = `/extras/webhooks/${webhook.id}/replay/`;
    await makeRule(used.admin, webhook, {
      event_types: ['object_created'],
      conditions: { attr: 'slug', value: site.slug },
    });
    await eventually(async () =>
      expect(
        (await used.admin.read(`/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`))
          .count,
      ).toBe(1),
    );
    const csrfToken = await admin.csrfToken(path);
    const since = new Date(Date.parse(site.created) - 2_000).toISOString().slice(0, 19);
    expect((await admin.post(path, { csrf_token: 'forged', since })).status).toBe(403);
    // The error is shown at its field, and nothing that was entered is lost.
    const wrong = await admin.post(path, {
      csrf_token: csrfToken,
      since,
      until: '2001-01-01T00:00',
      object_types: 'dcim.site',
    });
    expect([
      wrong.status,
      wrong.html.includes('The end must not be before the beginning.'),
      wrong.html.includes(`value="${since}"`),
      wrong.html.includes('value="dcim.site"'),
    ]).toEqual([400, true, true, true]);
    expect((await admin.post(path, { csrf_token: csrfToken, since: '' })).html).toMatch(
      /id="since-problem"[^>]*>This field is required/,
    );
    const counted = await admin.post(path, { csrf_token: csrfToken, since, object_types: 'dcim.site', do: 'count' });
    expect(counted.html).toMatch(/It would send 1 delivery for \d+ changes?\.[\s\S]*>Send 1</);
    expect((await used.admin.read(`/api${replays}?webhook_id=${webhook.id}`)).count).toBe(0);
    const started = await admin.post(path, { csrf_token: csrfToken, since, object_types: 'dcim.site', do: 'start' });
    const [, id] = /^\/extras\/webhook-replays\/(\d+)\/\?_done=started$/.exec(started.location ?? '') ?? [];
    expect([started.status, id]).toEqual([303, expect.any(String)]);
    await eventually(async () => {
      const { html } = await admin.get(started.location!);
      expect(html).toContain('The replay was started.');
      expect(html).toMatch(/data-value="completed">Completed<\/span> <a href="[^"]*\?replay_id=\d+">1 deliveries</);
    });
    // The delivery has ended, so there is nothing to cancel.
    expect((await admin.get(`${replays}${id}/`)).html).not.toContain(`${replays}${id}/cancel/`);
    expect((await admin.get(`${list}?replay_id=${id}`)).html).toContain('data-value="replay">Replay<');
    await eventually(async () =>
      expect((await used.admin.read(`/api${list}?replay_id=${id}`)).results[0].status.value).toBe('succeeded'),
    );
    expect((await admin.post(`${replays}${id}/cancel/`, { csrf_token: csrfToken })).status).toBe(409);
    expect((await admin.post(`${replays}999999999/cancel/`, { csrf_token: csrfToken })).status).toBe(404);
    expect((await admin.get(`${replays}?webhook_id=${webhook.id}`)).html).toContain(`href="${list}?replay_id=${id}"`);
  });
  test('is for those who may see and start it', async () => {
    const { webhook } = await failing();
    const path = `/extras/webhooks/${webhook.id}/replay/`;
    const none = await of({ types: [type], actions: ['view'] });
    const reader = await of({ types: ['extras.webhook', 'extras.webhookreplay'], actions: ['view'] });
    expect((await none.get(replays)).status).toBe(403);
    expect((await none.get(path)).status).toBe(403);
    expect((await reader.get(replays)).status).toBe(200);
    expect((await reader.get(`/extras/webhooks/${webhook.id}/`)).html).not.toContain('/replay/');
    const csrfToken = await reader.csrfToken('/user/password/');
    const since = '2026-01-01T00:00';
    for (const what of ['count', 'start'])
      expect((await reader.post(path, { csrf_token: csrfToken, since, do: what })).status).toBe(403);
  });
});

describe('permissions', () => {
  test('are those of the API', async () => {
    const { webhook, id } = await failing();
    const path = `${list}${id}/`;
    const [none, reader, changer] = await Promise.all([
      of({ actions: ['view'] }),
      of({ types: [type], actions: ['view'] }),
      of({ types: [type], actions: ['view', 'change'], constraints: { webhook: webhook.id } }),
    ]);
    for (const asked of [list, path]) {
      const { status, html } = await none.get(asked);
      expect([status, html.includes('Not permitted')]).toEqual([403, true]);
      // A redirect does not lead back to this page.
      expect(html.slice(html.indexOf('<main'))).not.toContain(`href="${list}`);
    }
    const seen = await reader.get(path);
    expect([seen.status, seen.html.includes('Requeue'), seen.html.includes('Test the webhook')]).toEqual([
      200,
      false,
      false,
    ]);
    const csrfToken = await reader.csrfToken('/user/password/');
    expect((await reader.post(`${path}requeue/`, { csrf_token: csrfToken })).status).toBe(403);
    expect((await changer.get(path)).html).toContain('Requeue');
    expect((await changer.get(`${list}${(await failing()).id}/`)).status).toBe(404);
    expect((await changer.post(`${path}requeue/`, { csrf_token: await changer.csrfToken(path) })).status).toBe(303);
    await ended(used.admin, id, 'succeeded');
    // The tiles count what the user may see.
    expect(tile((await changer.get(list)).html, 'succeeded')).toBe(1);
  });
  test('workers, parked events and replicas are for superusers', async () => {
    expect((await admin.get('/core/background-workers/')).html).toMatch(/<th scope="row">[\w.-]+<\/th>/);
    expect((await admin.get('/core/parked-events/')).status).toBe(200);
    const kept = await admin.get('/core/replicas/');
    expect([kept.status, /data-value="current"/.test(kept.html)]).toEqual([200, true]);
    const somebody = await of({ types: [type], actions: ['view', 'change'] });
    const csrfToken = await somebody.csrfToken('/user/password/');
    for (const path of [
      '/core/background-workers/',
      '/core/parked-events/',
      '/core/replicas/',
      '/core/parked-events/dcim/1/',
    ])
      expect([path, (await somebody.get(path)).status]).toEqual([path, 403]);
    for (const path of [
      '/core/parked-events/dcim/1/replay/',
      '/core/parked-events/dcim/1/delete/',
      '/core/replicas/dcim/tenancy.tenant/rebuild/',
    ])
      expect([path, (await somebody.post(path, { csrf_token: csrfToken })).status]).toEqual([path, 403]);
    expect((await somebody.get('/')).html).not.toContain('/core/parked-events/');
  });
  test('replicas are compared with their owner, by a form of ours only', async () => {
    const [, path] = /action="(\/core\/replicas\/[^"]+\/)verify\/"/.exec((await admin.get('/core/replicas/')).html)!;
    const csrfToken = await admin.csrfToken('/core/replicas/');
    const { status, html } = await admin.post(`${path}verify/`, { csrf_token: csrfToken });
    expect([status, /matches: [\d,]+ rows|differs/.test(html)]).toEqual([200, true]);
    expect((await admin.post(`${path}verify/`, { csrf_token: 'x' })).status).toBe(403);
    expect((await admin.get(`${path}verify/`)).status).toBe(405);
    expect((await admin.get('/core/parked-events/nowhere/1/')).status).toBe(404);
  });
});
