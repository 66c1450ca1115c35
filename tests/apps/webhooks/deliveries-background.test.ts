import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { deliveries, ended, makeSite, makeWebhook, sample, soon } from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const tasks = '/api/core/background-tasks/';
const idsOf = async (query: string): Promise<string[]> =>
  (await used.admin.all(`${tasks}${query}`)).map((task) => task.id);
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('queues, tasks and workers show what delivery does, as the reference would', async () => {
  const webhook = await makeWebhook(used.admin, receiver);
  const site = await makeSite(used.admin);
  receiver.answer(500);
  const {
    body: { id: bad },
  } = await sample(used.admin, webhook, site);
  await ended(used.admin, bad, 'failed');
  receiver.answer(200);
  const {
    body: { id: good },
  } = await sample(used.admin, webhook, site);
  await ended(used.admin, good, 'succeeded');
  const counted = () =>
    Promise.all(
      ['succeeded', 'failed'].map(
        async (state): Promise<number> => (await used.admin.read(`${deliveries}?status=${state}&limit=1`)).count,
      ),
    );
  // Other files may deliver at the same time: the counts are compared only when they did not change meanwhile.
  await eventually(async () => {
    const before = await counted();
    const [queue] = (await used.admin.read('/api/core/background-queues/')).results;
    expect([await counted(), [queue.finished_jobs, queue.failed_jobs], Math.min(...before) > 0]).toEqual([
      before,
      before,
      true,
    ]);
  });
  expect(await used.admin.read(`${tasks}${bad}/`)).toMatchObject({
    id: String(bad),
    is_failed: true,
    is_finished: false,
    func_name: 'send_webhook',
    worker_name: expect.any(String),
    meta: { error: 'The receiver answered 500', response_status: 500 },
    kwargs: { webhook: webhook.id, event_rule: null, object_id: site.id },
  });
  await eventually(async () => expect(await idsOf('?status=failed&limit=1000')).toContain(String(bad)));
  await eventually(async () => expect(await idsOf('?status=finished&limit=1000')).toContain(String(good)));
  expect(await idsOf('?limit=1000')).not.toContain(String(good));
  expect((await used.admin.get(`${tasks}?status=lost`)).status).toBe(400);
  // A worker is a process that delivers.
  await eventually(async () => {
    const { results } = await used.admin.read('/api/core/background-workers/');
    expect(results.map((one: Body) => one.name)).toContain((await used.admin.read(`${tasks}${good}/`)).worker_name);
    expect(results[0]).toMatchObject({
      state: expect.stringMatching(/^(idle|busy)$/),
      birth_date: expect.stringMatching(/Z$/),
      pid: expect.stringMatching(/^\d+$/),
      successful_job_count: expect.any(Number),
    });
  }, soon);
});

test('tasks are requeued, stopped and deleted by administrators', async () => {
  const webhook = await makeWebhook(used.admin, receiver);
  const site = await makeSite(used.admin);
  const path = `/${webhook.name}`;
  receiver.hold(path);
  const {
    body: { id },
  } = await sample(used.admin, webhook, site);
  const act = (name: string, client = used.admin) => client.post(`${tasks}${id}/${name}/`);
  await eventually(() => expect(receiver.at(path)).toHaveLength(1), soon);
  expect(await act('requeue')).toMatchObject({
    status: 409,
    body: { detail: 'Only a finished task can be requeued.' },
  });
  expect((await act('enqueue')).status).toBe(409);
  expect(await act('stop')).toMatchObject({ status: 200, body: { is_stopped: true, is_started: false } });
  expect((await act('stop')).status).toBe(409);
  receiver.release(path);
  expect(await act('requeue')).toMatchObject({ status: 200, body: { id: String(id), is_failed: false } });
  await ended(used.admin, id, 'succeeded');
  const { client } = await userWith(used.admin, {
    types: ['extras.webhookdelivery'],
    actions: ['view', 'change', 'delete'],
  });
  for (const name of ['requeue', 'enqueue', 'stop', 'delete'])
    expect([name, (await act(name, client)).status]).toEqual([name, 403]);
  expect((await act('delete')).status).toBe(200);
  for (const name of ['requeue', 'enqueue', 'stop', 'delete'])
    expect([name, (await act(name)).status]).toEqual([name, 404]);
  expect((await used.admin.get(`${deliveries}${id}/`)).status).toBe(404);
});
