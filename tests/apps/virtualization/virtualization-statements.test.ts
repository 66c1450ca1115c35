// The number of SQL statements of requests for virtual machines: the same for a page as for one object, and none for a
// config context that is not requested.
import { bodyOf } from '@cadastre/body';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Api, Engine } from '@cadastre/rest';
import { countStatements, type StatementCounter } from '@cadastre/service';
import { engineSettings } from '@cadastre/rest/testing/settings';
import { admin, peersWith } from '../../support/process/engine.ts';
import { type Filled, openFilled } from '../../../tools/testing/filled.ts';

const machines = '/api/virtualization/virtual-machines/';
const interfaces = '/api/virtualization/interfaces/';

/** Stubs of the other services, in which every object exists and nothing is protected. */
const peers = peersWith(async (_service, _type, references) => ({
  results: references.map((one) => ('id' in one ? { id: one.id } : { error: 'unknown' as const })),
  rows: [],
}));

const assignments = [
  'regions',
  'site_groups',
  'locations',
  'device_types',
  'roles',
  'platforms',
  'cluster_types',
  'cluster_groups',
  'clusters',
  'tenant_groups',
  'tenants',
  'tags',
];
const unassigned = Object.fromEntries(assignments.map((name) => [name, `'{}'`]));

let filled: Filled;
let statements: StatementCounter;
beforeAll(async () => {
  filled = await openFilled('virtualization');
  for (const type of [
    'dcim.site',
    'dcim.region',
    'dcim.sitegroup',
    'dcim.devicerole',
    'dcim.platform',
    'tenancy.tenant',
    'ipam.vlan',
    'virtualization.clustertype',
    'virtualization.cluster',
    'extras.tag',
  ]) {
    await filled.fill(type, 20, { name: `'n' || n`, slug: `'s' || n`, vm_role: 'true', region_id: 'n', _version: '1' });
  }
  await filled.fill('extras.configcontext', 50, {
    name: `'c' || n`,
    weight: 'n',
    is_active: 'true',
    ...unassigned,
    sites: 'array[1 + n % 20]',
    data: `jsonb_build_object('key' || n, n)`,
    _version: '1',
  });
  await filled.fill('virtualization.virtualmachine', 500, {
    name: `'vm' || n`,
    cluster_id: '1 + n % 20',
    site_id: '1 + n % 20',
    role_id: '1 + n % 20',
    platform_id: '1 + n % 20',
    tenant_id: '1 + n % 20',
    tags: 'array[1 + n % 20]',
  });
  await filled.fill('virtualization.vminterface', 500, { name: `'eth' || n`, virtual_machine_id: 'n' });
  await filled.pool.query(
    `select setval(pg_get_serial_sequence('virtualization_vminterface', 'id'), 10000), setval(pg_get_serial_sequence('virtualization_virtualmachine', 'id'), 10000)`,
  );
  statements = countStatements(filled.pool);
});
afterAll(async () => {
  await filled?.close();
});

const newEngine = (): Engine =>
  new Engine({
    catalogue: filled.catalogue,
    service: 'virtualization',
    pool: filled.pool,
    settings: engineSettings,
    peers,
  });

/** The answer, and the statements that it took, without the poll that requests share. */
const jsonHeaders = { 'content-type': 'application/json' };

async function ask(
  method: string,
  path: string,
  body?: unknown,
  engine = newEngine(),
): Promise<{ body: { results: Record<string, unknown>[] }; texts: string[] }> {
  const [plain = '', search = ''] = path.split('?');
  statements.reset();
  const answer = await new Api(engine).answer({
    method,
    path: plain,
    search,
    headers: jsonHeaders,
    body: body === undefined ? undefined : bodyOf(Buffer.from(JSON.stringify(body)), jsonHeaders),
    id: '00000000-0000-4000-8000-000000000000',
    base: 'http://c.example',
    who: admin,
    clientIp: '127.0.0.1',
  });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body).slice(0, 500)}`);
  return {
    body: JSON.parse(String(answer.body)) as { results: Record<string, unknown>[] },
    texts: statements.texts.filter((text) => !/^\s*(begin|commit|rollback|notify|select pg_)/i.test(text)),
  };
}
const aboutContexts = (texts: readonly string[]) =>
  texts.filter((text) => text.includes('extras_configcontext')).length;

test('a page of virtual machines costs as much as one, its config contexts one statement', async () => {
  const [one, page] = [await ask('GET', `${machines}?limit=1`), await ask('GET', `${machines}?limit=50`)];
  expect(page.texts).toHaveLength(one.texts.length);
  expect(aboutContexts(page.texts)).toBe(1);
  const first = page.body.results.find((vm) => vm['id'] === 1)!;
  expect(first['config_context']).toEqual({ key1: 1, key21: 21, key41: 41 });
});

test('config contexts that are not wanted are not looked for, and known ones not again', async () => {
  for (const search of ['exclude=config_context', 'brief=true', 'fields=id,name', 'omit=config_context'])
    expect([search, aboutContexts((await ask('GET', `${machines}?${search}`)).texts)]).toEqual([search, 0]);
  const engine = newEngine();
  await ask('GET', machines, undefined, engine);
  expect(aboutContexts((await ask('GET', machines, undefined, engine)).texts)).toBe(0);
});

test('many are written at the cost of one', async () => {
  let next = 0;
  const vm = () => ({ name: `new ${++next}`, cluster: 1 + (next % 20), role: 1, tenant: 1 + (next % 20), tags: [1] });
  const eth = () => ({
    name: `x${++next}`,
    virtual_machine: 1 + (next % 500),
    mode: 'access',
    untagged_vlan: 1 + (next % 20),
    parent: null,
  });
  for (const [path, make] of [
    [machines, vm],
    [interfaces, eth],
  ] as [string, () => object][]) {
    // Two, as the answer to one is an object and not a list.
    const [few, many] = [
      await ask('POST', path, [make(), make()]),
      await ask('POST', path, Array.from({ length: 100 }, make)),
    ];
    expect([path, many.texts.length - few.texts.length]).toEqual([path, 0]);
  }
});
