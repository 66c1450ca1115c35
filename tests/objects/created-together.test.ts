import { expect, test } from '@jest/globals';
import { expectAlike } from '../support/objects/alike.ts';
import type { Answer, Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

// Requests for single objects that arrive together may be written together. Nothing but the time shows it.

const used = useSystem();
const lab = new Equipment(() => used.admin);
const MANY = 24;
const SITES = '/api/dcim/sites/';

const bodies = (more: (i: number) => object = () => ({})) =>
  Array.from({ length: MANY }, (_, i) => ({ ...lab.named('together'), ...more(i) }) as Body);
const requestOf = ({ headers }: Answer): string => headers.get('x-request-id')!;
const changesOf = async (answer: Answer): Promise<Body[]> =>
  (await used.admin.read(`/api/extras/object-changes/?request_id=${requestOf(answer)}`)).results;

test('each is answered for its own object, and its change record names its own request', async () => {
  const tenant = await used.admin.make('/api/tenancy/tenants/', lab.named('together'));
  const given = bodies((i) => ({ tenant: tenant['id'], changelog_message: `number ${i}` }));
  const answers = await Promise.all(given.map((body) => used.admin.post(SITES, body)));
  expect(answers.map(({ status }) => status)).toEqual(given.map(() => 201));
  expect(answers.map(({ body }) => body.name)).toEqual(given.map(({ name }) => name));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(MANY);
  for (const [i, answer] of answers.entries()) {
    const { id, name } = answer.body;
    expect(answer.headers.get('location')).toMatch(new RegExp(`${SITES}${id}/$`));
    const read = await used.admin.get(`${SITES}${id}/`);
    expectAlike(read.body, answer.body);
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
    expect(await changesOf(answer)).toMatchObject([
      {
        action: { value: 'create' },
        changed_object_type: 'dcim.site',
        changed_object_id: id,
        postchange_data: { name },
        message: `number ${i}`,
      },
    ]);
  }
  // The client that created the last object finds all that were answered before, in other services too.
  expect((await used.admin.read(`/api/tenancy/tenants/${tenant['id']}/`))['site_count']).toBe(MANY);
  const [first] = answers;
  expect((await used.admin.read(`${SITES}?created_by_request=${requestOf(first!)}`)).results).toMatchObject([
    { id: first!.body.id },
  ]);
});

test('what is wrong with one, it alone is told, and the others are there', async () => {
  const taken = await lab.site();
  const given = bodies((i) =>
    i === 3
      ? { slug: taken['slug'] }
      : i === 7
        ? { status: 'nonsense' }
        : i === 11
          ? { tenant: { slug: unique('nobody') } }
          : {},
  );
  const answers = await Promise.all(given.map((body) => used.admin.post(SITES, body)));
  expect(answers.map(({ status }) => status)).toEqual(
    given.map((_, i) => (i === 3 || i === 7 || i === 11 ? 400 : 201)),
  );
  expect(answers[3]!.body).toEqual({ slug: ['site with this slug already exists.'] });
  expect(Object.keys(answers[7]!.body)).toEqual(['status']);
  expect(Object.keys(answers[11]!.body)).toEqual(['tenant']);
  for (const [i, { name }] of given.entries())
    expect((await used.admin.read(`${SITES}?name=${name}`)).count).toBe(answers[i]!.status === 201 ? 1 : 0);
});

test('of several that want the same, one gets it', async () => {
  const same = lab.named('same');
  const answers = await Promise.all(Array.from({ length: MANY }, () => used.admin.post(SITES, same)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(MANY - 1);
});

test('of several that want the same address of a routing table that has each once, one gets it', async () => {
  const vrf = await used.admin.make('/api/ipam/vrfs/', { name: unique('together'), enforce_unique: true });
  const answers = await Promise.all(
    Array.from({ length: MANY }, (_, i) =>
      used.admin.post('/api/ipam/ip-addresses/', { address: `10.1.0.${i % 2}/24`, vrf: vrf['id'] }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(MANY - 2);
});

test('each writes with its own rights, and those of one only what these let them', async () => {
  const user = await userWith(used.admin, {
    actions: ['add', 'view'],
    constraints: { status: 'planned' },
  });
  const given = bodies((i) => ({ status: i % 4 ? 'planned' : 'active' }));
  const answers = await Promise.all(
    given.flatMap((body) => [user.client.post(SITES, body), used.admin.post(SITES, lab.named('beside'))]),
  );
  const [own, admins] = [0, 1].map((odd) => answers.filter((_, i) => i % 2 === odd));
  expect(own!.map(({ status }) => status)).toEqual(given.map((_, i) => (i % 4 ? 201 : 403)));
  expect(admins!.every(({ status }) => status === 201)).toBe(true);
  for (const answer of [own![1]!, admins![1]!]) {
    const [change] = await changesOf(answer);
    expect(change!['user_name']).toBe(answer === own![1] ? user.name : 'admin');
  }
});

test('what follows from one has that one’s request', async () => {
  const given = await lab.deviceBody();
  await used.admin.make('/api/dcim/interface-templates/', {
    device_type: given['device_type'],
    name: 'eth0',
    type: '1000base-t',
  });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => used.admin.post('/api/dcim/devices/', { ...given, name: unique('together') })),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(201);
    const changed = (await changesOf(answer)).map((change) => change['changed_object_type']);
    expect(changed.sort()).toEqual(['dcim.device', 'dcim.interface']);
  }
});
