import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { deliveries, makeRule, makeSite, makeWebhook, webhooks } from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const rules = '/api/extras/event-rules/';
const sites = '/api/dcim/sites/';
const password = 'Correct-Horse-9';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const own = unique('in-time');
const patch = async (path: string, body: object): Promise<Body> => {
  const { status, body: answer } = await used.admin.patch(path, body);
  expect([status, answer]).toEqual([200, expect.anything()]);
  return answer as Body;
};
const remove = async (path: string): Promise<void> => {
  expect((await used.admin.delete(path)).status).toBe(204);
};
const of = (one: Body) => `${rules}${one.id}/`;
/** A site's description in each payload that the webhook received, in any order. */
const toldAt = (path: string): string[] =>
  receiver
    .at(path)
    .map(({ body }) => (JSON.parse(body.toString()) as Body).data.description)
    .sort();
const told = (webhook: Body): string[] => toldAt(`/${webhook.name}`);
const change = async (site: Body, description: string): Promise<string> =>
  (await patch(`${sites}${site.id}/`, { description })).description;
/** A rule for changes of this file's sites, as other files make some at the same time. */
const ruleFor = (webhook: Body, more: object = {}): Promise<Body> =>
  makeRule(used.admin, webhook, {
    event_types: ['object_updated'],
    conditions: { attr: 'slug', op: 'contains', value: own },
    ...more,
  });

/** Once this webhook has received its change, all earlier changes have been handled. */
async function settled(): Promise<void> {
  const [webhook, site] = [await makeWebhook(used.admin, receiver), await makeSite(used.admin, unique('last'))];
  await makeRule(used.admin, webhook, { conditions: { attr: 'id', value: site.id } });
  await change(site, 'last');
  await eventually(() => expect(told(webhook)).toEqual(['last']));
}

test('a rule that is switched off right after a change applies to it, and one that is switched on then does not', async () => {
  const [webhook, site] = [await makeWebhook(used.admin, receiver), await makeSite(used.admin, own)];
  const rule = await ruleFor(webhook, { enabled: false });
  const expected: string[] = [];
  for (let i = 10; i < 30; i++) {
    await change(site, `before ${i}`);
    await patch(of(rule), { enabled: true });
    expected.push(await change(site, `while ${i}`));
    await patch(of(rule), { enabled: false });
  }
  await eventually(() => expect(told(webhook)).toHaveLength(20));
  await settled();
  expect(told(webhook)).toEqual(expected);
});

test('a rule and a webhook that are made right after a change get no delivery of it', async () => {
  const site = await makeSite(used.admin, own);
  const made: Body[] = [];
  for (let i = 0; i < 15; i++) {
    await change(site, `early ${i}`);
    const webhook = await makeWebhook(used.admin, receiver);
    made.push(webhook);
    await ruleFor(webhook, { event_types: ['object_created', 'object_updated'] });
  }
  await change(site, 'late');
  await eventually(() => expect(told(made[14]!)).toEqual(['late']));
  for (const [i, webhook] of made.entries())
    await eventually(() =>
      expect(told(webhook)).toEqual(
        [...made.keys()]
          .slice(i + 1)
          .map((n) => `early ${n}`)
          .concat('late')
          .sort(),
      ),
    );
});

test('whatever a rule asks for, it asked for it when the change was made', async () => {
  const edits: object[] = [
    { conditions: { attr: 'slug', value: 'nothing' } },
    { event_types: ['object_deleted'] },
    { object_types: ['dcim.region'] },
    { action_type: 'notification', action_object_type: 'extras.notificationgroup' },
    { action_object_id: 0 },
    { action_data: { extra: 'after' } },
  ];
  const team = await used.admin.make('/api/extras/notification-groups/', { name: unique('team') });
  const other = await makeWebhook(used.admin, receiver);
  for (const edit of edits) {
    const [webhook, site] = [await makeWebhook(used.admin, receiver), await makeSite(used.admin, own)];
    const rule = await ruleFor(webhook);
    const object = 'action_type' in edit ? { action_object_id: team.id } : {};
    await change(site, 'first');
    await patch(of(rule), {
      ...edit,
      ...object,
      ...('action_object_id' in edit ? { action_object_id: other.id } : {}),
    });
    await eventually(() => expect(told(webhook)).toEqual(['first']));
    expect(JSON.parse(receiver.at(`/${webhook.name}`)[0]!.body.toString()).data).not.toHaveProperty('extra');
    await remove(of(rule));
  }
  await settled();
  expect(told(other)).toEqual([]);
});

test('a rule or webhook that is deleted right after a change applies to it', async () => {
  const site = await makeSite(used.admin, own);
  for (let i = 0; i < 10; i++) {
    const webhook = await makeWebhook(used.admin, receiver, { secret: 'of-then' });
    const rule = await ruleFor(webhook);
    await change(site, `deleted ${i}`);
    await remove(i % 2 ? of(rule) : `${webhooks}${webhook.id}/`);
    await change(site, `after ${i}`);
    await eventually(() => expect(told(webhook)).toEqual([`deleted ${i}`]));
    const [{ headers, body }] = receiver.at(`/${webhook.name}`) as [Receiver['received'][number]];
    expect(headers['x-hook-signature']).toBe(createHmac('sha512', 'of-then').update(body).digest('hex'));
  }
  await settled();
});

test('a webhook that is changed right after a change sends as it was; what is requeued goes as it is', async () => {
  const [webhook, site] = [
    await makeWebhook(used.admin, receiver, { secret: 'of-then', additional_headers: 'X-Token: then-1234' }),
    await makeSite(used.admin, own),
  ];
  await ruleFor(webhook);
  await change(site, 'first');
  const moved = `/${unique('moved')}`;
  await patch(`${webhooks}${webhook.id}/`, {
    payload_url: receiver.url + moved,
    secret: 'of-now',
    additional_headers: 'X-Token: now-1234',
  });
  await change(site, 'second');
  await eventually(() => expect([told(webhook), toldAt(moved)]).toEqual([['first'], ['second']]));
  const sent = (path: string, secret: string) => {
    const one = receiver.at(path).at(-1)!;
    return [
      one.headers['x-token'],
      one.headers['x-hook-signature'] === createHmac('sha512', secret).update(one.body).digest('hex'),
    ];
  };
  expect(sent(`/${webhook.name}`, 'of-then')).toEqual(['then-1234', true]);
  expect(sent(moved, 'of-now')).toEqual(['now-1234', true]);
  const first = await eventually(async () => {
    const { results } = await used.admin.read(`${deliveries}?webhook_id=${webhook.id}&status=succeeded&ordering=id`);
    expect(results).toHaveLength(2);
    return results.find((one: Body) => one.payload.data.description === 'first');
  });
  expect((await used.admin.post(`${deliveries}${first.id}/requeue/`, {})).status).toBe(200);
  await eventually(() => expect(toldAt(moved)).toEqual(['first', 'second']));
  expect(sent(moved, 'of-now')).toEqual(['now-1234', true]);
  expect(told(webhook)).toEqual(['first']);
});

test('a rule that has a group told counts in the same way', async () => {
  const reader = await userWith(used.admin, { actions: ['view'] });
  const team = await used.admin.make('/api/extras/notification-groups/', { name: unique('team'), users: [reader.id] });
  const [site, later] = [await makeSite(used.admin, own), await makeSite(used.admin, own)];
  const rule = await ruleFor(team, { action_type: 'notification', action_object_type: 'extras.notificationgroup' });
  await change(site, 'told');
  await patch(of(rule), { enabled: false });
  await change(later, 'not told');
  await settled();
  await eventually(async () =>
    expect((await reader.client.read('/api/extras/notifications/')).results).toMatchObject([{ object_id: site.id }]),
  );
});

test('what follows elsewhere from a change counts by when that was made', async () => {
  const webhook = await makeWebhook(used.admin, receiver);
  const contact = await used.admin.make('/api/tenancy/contacts/', { name: unique('contact') });
  const role = unique('role');
  const { id } = await used.admin.make('/api/tenancy/contact-roles/', { name: role, slug: role });
  const assigned = async () => {
    const site = await makeSite(used.admin, own);
    const made = await used.admin.make('/api/tenancy/contact-assignments/', {
      object_type: 'dcim.site',
      object_id: site.id,
      contact: contact.id,
      role: id,
    });
    return { site, made };
  };
  const [one, two] = [await assigned(), await assigned()];
  const rule = await makeRule(used.admin, webhook, {
    object_types: ['tenancy.contactassignment'],
    event_types: ['object_deleted'],
    conditions: { attr: 'contact.id', value: contact.id },
  });
  await remove(`${sites}${one.site.id}/`);
  await patch(of(rule), { enabled: false });
  await remove(`${sites}${two.site.id}/`);
  await patch(of(rule), { enabled: true });
  const gone = () => receiver.at(`/${webhook.name}`).map(({ body }) => (JSON.parse(body.toString()) as Body).data.id);
  await eventually(() => expect(gone()).toEqual([one.made.id]));
  await eventually(async () =>
    expect((await used.admin.get(`/api/tenancy/contact-assignments/${two.made.id}/`)).status).toBe(404),
  );
  await settled();
  expect(gone()).toEqual([one.made.id]);
});

test('rules for security events count when something happened', async () => {
  const webhook = await makeWebhook(used.admin, receiver);
  const [user, later] = [await userWith(used.admin), await userWith(used.admin)];
  const rule = await makeRule(used.admin, webhook, {
    object_types: ['core.securityevent'],
    event_types: ['security_event'],
    conditions: {
      and: [
        { attr: 'kind.value', value: 'login' },
        { attr: 'user_name', op: 'in', value: [user.name, later.name] },
      ],
    },
  });
  await logIn(used.system.base, user.name, password);
  await patch(of(rule), { enabled: false });
  await logIn(used.system.base, later.name, password);
  await settled();
  await eventually(() =>
    expect(
      receiver.at(`/${webhook.name}`).map(({ body }) => (JSON.parse(body.toString()) as Body).data.user_name),
    ).toEqual([user.name]),
  );
});
