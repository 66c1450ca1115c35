import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangeEvent } from '@cadastre/events';
import { allChecks } from './all.ts';
import { type Little, littleWorld } from './fixture.ts';
import { type Row, rowsOf } from './world.ts';

let little: Little;
beforeEach(async () => {
  little = await littleWorld();
});

const complaints = () =>
  Object.fromEntries(allChecks(little.world, little.writes, little.shown).filter(([, found]) => found.length));
const of = (check: string): string[] => (complaints()[check] ?? []) as string[];
const row = (type: string, id: number): Row => rowsOf(little.world, type).get(id)!;
const copy = (service: string, type: string, id: number): Row =>
  little.world.replicas.get(service)!.get(type)!.get(id)!;
const events = (service: string): ChangeEvent[] => little.world.events.get(service)!;
const someRow = (type: string, fits: (one: Row) => boolean): Row =>
  [...rowsOf(little.world, type).values()].find(fits)!;

test('a sound world is complained of by nobody', () => {
  expect(complaints()).toEqual({});
  for (const type of ['dcim.site', 'core.objectchange', 'extras.webhookdelivery', 'extras.taggeditem'])
    expect(rowsOf(little.world, type).size).toBeGreaterThan(0);
});

describe('what is under way or put aside', () => {
  test('is complained of', () => {
    Object.assign(little.world, {
      unpublished: 3,
      parked: [{ service: 'dcim', key: 'x:1', error: 'no' }],
      marks: [{ service: 'dcim', type: 'dcim.site', id: 1 }],
    });
    expect(of('nothing is under way or put aside')).toEqual([
      '3 events are not published',
      'dcim could not handle an event of x:1: no',
      'dcim still holds dcim.site 1 as being deleted',
    ]);
  });
});

describe('answers', () => {
  const check = 'what was answered has happened, what was refused has not';
  test('an answered write that has not happened', () => {
    little.writes.push({ ...little.writes[0]!, token: 'another' });
    expect(of(check)).toEqual([
      expect.stringContaining('another (created 1 extras.tag, ) was answered, and has not happened'),
    ]);
  });
  test('a refused write that has happened', () => {
    little.writes.find(({ outcome }) => outcome === 'refused')!.token = little.writes[0]!.token;
    expect(of(check)).toEqual([expect.stringContaining('was refused, and has happened to 1 objects')]);
  });
  test('half of a bulk write without an answer', () => {
    const lost = little.writes.find(({ outcome }) => outcome === 'unknown')!;
    events('dcim')[0]!.message = lost.token;
    expect(of(check)).toContainEqual(
      expect.stringContaining(`${lost.token} (created 2 dcim.site, ) has happened to 1 objects`),
    );
  });
  test('a write that has happened to something else', () => {
    little.writes[0]!.ids = [5];
    expect(of(check)).toEqual([expect.stringContaining('has happened to other objects: created extras.tag 1')]);
  });
  test('a write that has happened twice', () => {
    events('extras').push({ ...events('extras')[0]!, id: 'again', version: 2 });
    expect(of(check)).toEqual([expect.stringContaining('has happened to 2 objects')]);
  });
});

describe('objects as last written', () => {
  const check = 'objects are as they were last written';
  test('a lost value', () => {
    row('dcim.site', 1)['description'] = '';
    expect(of(check)).toEqual(['dcim.site:1 has description "" instead of "changed"']);
  });
  test('a lost reference to something that is there', () => {
    row('dcim.site', 1)['tenant_id'] = null;
    row('dcim.site', 1)['asns'] = [];
    expect(of(check)).toEqual(['dcim.site:1 has asns [] instead of [1]', 'dcim.site:1 has tenant null instead of 1']);
  });
  test('a reference that stays although its target was deleted', () => {
    rowsOf(little.world, 'dcim.region').delete(2);
    expect(of(check)).toContainEqual('dcim.site:1 has region 2 instead of null');
    row('dcim.site', 1)['region_id'] = null;
    expect(of(check)).not.toContainEqual(expect.stringContaining('dcim.site:1'));
  });
  test('an object that disappeared without a deletion', () => {
    rowsOf(little.world, 'ipam.prefix').delete(1);
    expect(of(check)).toEqual(['ipam.prefix:1 is gone, and nothing took it along']);
    // What it is meant for takes it along.
    rowsOf(little.world, 'dcim.site').delete(1);
    expect(of(check)).toEqual(['dcim.site:1 is gone, and nothing took it along']);
  });
  test('an object that is there again', () => {
    rowsOf(little.world, 'dcim.site').set(2, { ...row('dcim.site', 1), id: 2 });
    expect(of(check)).toEqual(['dcim.site:2 is there although it was deleted']);
  });
  test('a create without an answer that has happened', () => {
    const made = little.writes.find(({ type }) => type === 'ipam.prefix')!;
    Object.assign(made, { outcome: 'unknown', ids: [], bodies: [{ prefix: '10.9.0.0/24' }, ...made.bodies] });
    expect(of(check)).toEqual([]);
    row('ipam.prefix', 1)['tenant_id'] = null;
    expect(of(check)).toEqual(['ipam.prefix:1 has tenant null instead of 1']);
  });
  test('changes in another order', () => {
    little.writes.find(({ action }) => action === 'updated')!.n = 0;
    expect(of(check)).toEqual([expect.stringContaining('dcim.site:1 was changed in another order than was answered')]);
  });
});

describe('references', () => {
  const check = 'no reference dangles';
  test.each([
    [
      'of one object',
      () => {
        row('dcim.site', 1)['tenant_id'] = 99;
      },
      'dcim.site 1 points with tenant at tenancy.tenant 99, which is not there',
    ],
    [
      'of several',
      () => {
        row('dcim.site', 1)['asns'] = [1, 98];
      },
      'dcim.site 1 points with asns at ipam.asn 98, which is not there',
    ],
    [
      'of tags',
      () => {
        row('tenancy.tenant', 1)['tags'] = [97];
      },
      'tenancy.tenant 1 points with tags at extras.tag 97, which is not there',
    ],
    [
      'to any of several types',
      () => {
        row('ipam.prefix', 1)['scope_id'] = 96;
      },
      'ipam.prefix 1 points with scope at dcim.site 96, which is not there',
    ],
    [
      'to its own kind',
      () => {
        row('dcim.region', 2)['parent_id'] = 95;
      },
      'dcim.region 2 points with parent at dcim.region 95, which is not there',
    ],
  ])('%s', (_, damage, complaint) => {
    damage();
    expect(of(check)).toEqual([complaint]);
  });
  test('of a custom field', () => {
    rowsOf(little.world, 'extras.customfield').set(9, {
      id: 9,
      _version: 1,
      name: 'buddy',
      related_object_type: 'dcim.region',
      object_types: ['dcim.site'],
    });
    row('dcim.site', 1)['custom_fields'] = { buddy: 2, other: 94 };
    expect(of(check)).toEqual([]);
    row('dcim.site', 1)['custom_fields'] = { buddy: [2, 94] };
    expect(of(check)).toEqual(['dcim.site 1 points with the custom field buddy at dcim.region 94, which is not there']);
  });
  test('records of what happened may outlive what they speak of', () => {
    rowsOf(little.world, 'core.objectchange').set(99, {
      id: 99,
      _version: 1,
      changed_object_type: 'dcim.site',
      changed_object_id: 99,
    });
    expect(of(check)).toEqual([]);
  });
});

describe('replicas', () => {
  const check = 'replicas equal their owners';
  test('an old value', () => {
    copy('dcim', 'tenancy.tenant', 1)['name'] = 'old';
    expect(of(check)).toEqual(['dcim keeps tenancy.tenant 1 with name "old" instead of "acme"']);
  });
  test('one that is missing', () => {
    little.world.replicas.get('ipam')!.get('dcim.site')!.delete(1);
    expect(of(check)).toEqual(['ipam lacks dcim.site 1']);
  });
  test('of a type that is kept in part, one that matters', () => {
    const keeping = (service: string, ...ids: number[]) => {
      const copies = little.world.replicas.get(service)!.get('ipam.ipaddress')!;
      for (const id of [1, 2, 3]) if (!ids.includes(id)) copies.delete(id);
    };
    keeping('dcim', 1, 2);
    keeping('virtualization', 2);
    keeping('tenancy');
    expect(of(check).sort()).toEqual(['tenancy lacks ipam.ipaddress 1', 'virtualization lacks ipam.ipaddress 1']);
    rowsOf(little.world, 'dcim.device').set(1, { id: 1, _version: 1, primary_ip4_id: 3 });
    expect(of(check).sort()).toEqual([
      'dcim lacks ipam.ipaddress 3',
      'tenancy lacks ipam.ipaddress 1',
      'virtualization lacks ipam.ipaddress 1',
    ]);
  });
  test('one that should have been deleted', () => {
    little.world.replicas.get('ipam')!.get('dcim.site')!.set(2, { id: 2, _version: 1 });
    expect(of(check)).toEqual(['ipam keeps dcim.site 2, which is not there any more']);
  });
});

describe('brief forms', () => {
  const check = 'brief forms are those of the objects';
  const kept = () => little.world.kept.get('extras')!;
  test('an old one', () => {
    Object.assign(kept().find(({ type }) => type === 'dcim.site')!, {
      version: 1,
      display: 'old',
      tags: [],
      brief: { name: 'old' },
    });
    expect(of(check)).toEqual([
      expect.stringContaining(
        'extras keeps the brief form of dcim.site:1 with version 1 instead of 2, display "old" instead of "one", tags [] instead of [1]',
      ),
    ]);
  });
  test('one that is missing, and one that should have been deleted', () => {
    kept().find(({ type }) => type === 'dcim.site')!.id = 2;
    expect(of(check)).toEqual([
      'extras keeps the brief form of dcim.site:2, which is not there any more',
      'extras lacks the brief form of dcim.site:1',
    ]);
  });
});

test('tagged objects: one that is not listed, one that is no longer tagged, one that is listed twice', () => {
  const item = someRow('extras.taggeditem', (one) => one['object_type'] === 'dcim.site');
  const [other] = [...rowsOf(little.world, 'extras.taggeditem').values()];
  item['object_id'] = 2;
  rowsOf(little.world, 'extras.taggeditem').set(99, { ...other!, id: 99 });
  expect(of('tagged objects are listed')).toEqual([
    'dcim.site 2 with tag 1 is listed, and is not so',
    'tenancy.tenant 1 with tag 1 is listed twice',
    'dcim.site 1 with tag 1 is not listed',
  ]);
});

test('trees: a wrong path, a wrong sorting, a circle', () => {
  const check = 'trees are planted as their parents say';
  row('dcim.region', 2)['_path'] = [2];
  row('dcim.region', 2)['_sort'] = ['fjord'];
  expect(of(check)).toEqual([
    'dcim.region 2 has the path [2] instead of [1,2]',
    'dcim.region 2 is sorted as ["fjord"] instead of ["north","fjord"]',
  ]);
  row('dcim.region', 1)['parent_id'] = 2;
  expect(of(check)).toEqual(['dcim.region 1 lies below itself', 'dcim.region 2 lies below itself']);
});

test.each([
  ['dcim.site', 1, 'prefix_count'],
  ['dcim.region', 1, 'site_count'],
  ['dcim.region', 2, 'prefix_count'],
  ['tenancy.tenant', 1, 'site_count'],
  ['ipam.asn', 1, 'site_count'],
])('a count that is wrong: %s %i %s', (type, id, name) => {
  const counts = little.shown.get(type)!.get(id)!;
  const right = Number(counts[name]);
  counts[name] = right + 1;
  expect(of('counts are right')).toEqual([`${type} ${id} shows ${name} ${right + 1} instead of ${right}`]);
});

describe('versions', () => {
  const check = 'versions follow each other';
  const updated = () => events('dcim').find(({ action }) => action === 'updated')!;
  test('a gap', () => {
    updated().version = 3;
    expect(of(check)).toEqual(['dcim.site:1 has version 3 after 1', 'dcim.site:1 has version 2, and its last event 3']);
  });
  test('a repeat', () => {
    events('dcim').push({ ...updated(), id: 'again' });
    expect(of(check)).toContainEqual('dcim.site:1 has version 2 after 2');
  });
  test('a change between two events that neither tells of', () => {
    updated().prechange = { ...updated().prechange!, name: 'other' };
    expect(of(check)).toEqual(['dcim.site:1 was not before version 2 what it was after 1: name "one", then "other"']);
  });
  test('a life after the end, and a lost end', () => {
    events('dcim').push({
      ...events('dcim').find(({ action, objectId }) => action === 'deleted' && objectId === 2)!,
      action: 'created',
      version: 3,
    });
    expect(of(check)).toContainEqual('dcim.site:2 was created after it had been deleted');
    rowsOf(little.world, 'ipam.prefix').delete(1);
    expect(of(check)).toContainEqual('ipam.prefix:1 is not there although it was created last');
  });
});

describe('change records', () => {
  const check = 'one change record for each change';
  const records = () => rowsOf(little.world, 'core.objectchange');
  const first = () => someRow('core.objectchange', (one) => one['changed_object_type'] === 'extras.tag');
  test('one that is missing', () => {
    records().delete(first().id);
    expect(of(check)).toEqual(['0 change records of version 1 of extras.tag:1 (created)']);
  });
  test('one too many', () => {
    records().set(99, { ...first(), id: 99 });
    expect(of(check)).toEqual(['2 change records of version 1 of extras.tag:1 (created)']);
  });
  test('one of a change that never was', () => {
    records().set(99, { ...first(), id: 99, event_id: 'made up' });
    expect(of(check)).toEqual(['1 change records of event made up, which no service has']);
  });
  test('one that says something else', () => {
    Object.assign(first(), { message: 'else', postchange_data: {} });
    expect(of(check)).toEqual([
      'the change record of version 1 of extras.tag:1 differs from the change in message, postchange_data',
    ]);
  });
  test('a change that changed nothing has none', () => {
    const update = events('dcim').find(({ action }) => action === 'updated')!;
    update.prechange = update.postchange;
    expect(of(check)).toContainEqual('1 change records of version 2 of dcim.site:1 (updated)');
  });
});

describe('deliveries', () => {
  const check = 'one delivery for each change, and it arrived';
  const rows = () => rowsOf(little.world, 'extras.webhookdelivery');
  const ofTenant = () => someRow('extras.webhookdelivery', (one) => one['object_type'] === 'tenancy.tenant');
  test('one that is not recorded', () => {
    rows().delete(ofTenant().id);
    expect(of(check)).toEqual(['0 deliveries are recorded for 1 changes of tenancy.tenant:1 in request request 2']);
  });
  test('one that is recorded twice', () => {
    rows().set(99, { ...ofTenant(), id: 99 });
    expect(of(check)).toEqual([
      '2 deliveries are recorded for 1 changes of tenancy.tenant:1 in request request 2',
      'event event 2 is recorded as a delivery more than once',
    ]);
  });
  test('one that did not arrive', () => {
    little.world.received = little.world.received.filter((message) => message.object_type !== 'tenancy.tenant');
    expect(of(check)).toEqual(['the receiver did not get tenancy.tenant:1 in request request 2']);
  });
  test('one that arrived twice is no fault', () => {
    little.world.received = [...little.world.received, ...little.world.received];
    expect(of(check)).toEqual([]);
  });
  test('one that failed, and one of a change that never was', () => {
    Object.assign(ofTenant(), { status: 'failed', error: 'no' });
    rows().set(99, { ...ofTenant(), id: 99, event_id: 'made up', object_id: 5 });
    expect(of(check)).toEqual(
      expect.arrayContaining([
        `the delivery ${ofTenant().id} is failed: no`,
        '1 deliveries are recorded for tenancy.tenant:5 in request request 2, which did not change',
      ]),
    );
  });
});
