import { expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';
import { userWith } from '../support/users.ts';

const used = useSystem();

test('administrators see what the background does', async () => {
  const queues = await used.admin.read('/api/core/background-queues/');
  expect(queues).toMatchObject({
    count: 3,
    next: null,
    results: [
      { name: 'default', workers: expect.any(Number), jobs: expect.any(Number), failed_jobs: expect.any(Number) },
      { name: 'high', jobs: 0 },
      { name: 'low', jobs: 0 },
    ],
  });
  expect(await used.admin.read(queues.results[0].url)).toMatchObject({ name: 'default', url: queues.results[0].url });
  const {
    results: [worker],
  } = await used.admin.read('/api/core/background-workers/');
  expect(await used.admin.read(worker.url)).toMatchObject({
    name: worker.name,
    queue_names: ['default', 'high', 'low'],
  });
  expect(await used.admin.read('/api/core/background-tasks/?limit=1')).toMatchObject({
    count: expect.any(Number),
    results: expect.any(Array),
  });
  for (const path of [
    'background-queues/none',
    'background-workers/none',
    'background-tasks/999999999',
    'background-tasks/x',
  ])
    expect((await used.admin.get(`/api/core/${path}/`)).status).toBe(404);
  expect((await used.admin.post('/api/core/background-tasks/', {})).status).toBe(405);
});

test('nobody else does', async () => {
  const { client } = await userWith(used.admin);
  for (const what of ['queues', 'workers', 'tasks'])
    expect((await client.get(`/api/core/background-${what}/`)).status).toBe(403);
});
