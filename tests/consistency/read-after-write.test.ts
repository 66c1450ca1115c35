import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Equipment } from '../support/objects/equipment.ts';
import { hammer, scenes } from '../support/consistency/readAfterWrite.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();

/** Often enough that a race shows. */
const TIMES = 4;

describe('what was written in one service is seen in others at once:', () => {
  test.each(Object.entries(scenes))('%s', async (_, scene) => {
    for (let i = 0; i < TIMES; i++) await scene(used.admin);
  });
});

test('it is seen while many write and many read', async () => {
  expect(await hammer(used.admin, 8_000)).toBeGreaterThan(0);
});

/** How many requests went on without having seen earlier writes of other services, in all processes. */
async function late(): Promise<number> {
  const { services } = JSON.parse(readFileSync(join(used.system.folder, 'run.json'), 'utf8')) as {
    services: { operations?: string }[];
  };
  const addresses = new Set(services.flatMap(({ operations }) => operations ?? []));
  const texts = await Promise.all([...addresses].map(async (one) => (await fetch(`${one}/metrics`)).text()));
  return [...texts.join('\n').matchAll(/^read_after_write_late_total\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

test('services that wait for much of each other do not wait for each other', async () => {
  // Too many to ask the owner for each: the services wait for the log instead.
  const many = (make: (name: string) => object) => Array.from({ length: 2_100 }, () => make(unique('much')));
  const before = await late();
  await Promise.all([
    used.admin.make(
      '/api/dcim/sites/',
      many((name) => ({ name, slug: name })),
    ),
    used.admin.make(
      '/api/ipam/vrfs/',
      many((name) => ({ name })),
    ),
    used.admin.make(
      '/api/tenancy/tenants/',
      many((name) => ({ name, slug: name })),
    ),
  ]);
  const lists = ['dcim/devices', 'ipam/prefixes', 'tenancy/contacts', 'extras/tags', 'extras/journal-entries'];
  await Promise.all(lists.map((list) => used.admin.read(`/api/${list}/?limit=1`)));
  expect(await late()).toBe(before);
});

test('applying a deletion does not wait for the effects of that deletion', async () => {
  const kit = new Equipment(() => used.admin);
  for (let i = 0; i < TIMES; i++) {
    const port = await kit.interface(await kit.device());
    const tenant = await kit.make('tenancy/tenants', kit.named('tenant'));
    // Of what it is about, the owner is asked when it goes.
    await kit.make('extras/journal-entries', {
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
      comments: 'x',
    });
    const before = await late();
    await Promise.all([
      used.admin.delete(`/api/tenancy/tenants/${tenant.id}/`),
      used.admin.delete(`/api/dcim/interfaces/${port.id}/`),
    ]);
    expect(
      await kit.ids(`extras/journal-entries/?assigned_object_type=dcim.interface&assigned_object_id=${port.id}`),
    ).toEqual([]);
    expect(await late()).toBe(before);
  }
});
