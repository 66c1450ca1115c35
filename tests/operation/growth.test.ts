// How a connection treats tables that have grown since it first used them. PostgreSQL keeps the plan of a prepared
// statement until it has analysed the tables again, a minute later or more: a plan that was good for an empty table
// must not be a bad one for a hundred thousand rows.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { newEventId, validateEvent, type ChangeEvent } from '@cadastre/events';
import { typeId } from '@cadastre/model';
import { rowsOf } from '@cadastre/rest';
import { heldAmong, missingMutual } from '@cadastre/rest/replicas/part';
import { keepReplicas } from '@cadastre/rest/replicas/replicas';
import { storeAnyObjects } from '@cadastre/rest/replicas/anyObjects';
import { updateRows } from '@cadastre/rest/write/store/store';
import { dropAnyObjects } from '@cadastre/rest/replication/follow/anyObject';
import { checkUniqueCustomFields } from '@cadastre/rest/write/check/uniqueCustomFields';
import { type Filled, openFilled } from '../../tools/testing/filled.ts';
import { readThrough } from '../../tools/testing/plans.ts';
import { recordChanges, unrecorded } from '../../services/extras/changeLog.ts';
import { followTags } from '../../services/extras/taggedItems.ts';
import { retrace } from '../../services/dcim/models/cabling/retrace.ts';
import { uniqueAddresses, uniquePrefixes } from '../../services/ipam/models/uniqueSpace.ts';

const ROWS = 20_000;
const MINUTE = 60_000;
/** How often a statement is planned anew before its plan is kept. */
const PLANNED = 6;
const IP = 'ipam.ipaddress';
const address = (n: number): string => `172.${16 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
const few = [1, 2, 3].map((i) => ROWS + i);

interface Case {
  service: string;
  fill: Record<string, Record<string, string>>;
  work: Record<string, (filled: Filled, client: PoolClient, ids: number[]) => Promise<unknown>>;
}

const check =
  (one: typeof uniqueAddresses, field: string, mask: number) =>
  ({ tables }: Filled, client: PoolClient, ids: number[]) =>
    one(
      ids.map((n) => ({ object: { [field]: `${address(n)}/${mask}`, vrf: null, role: '' } })) as never,
      {
        query: (text: string, values: unknown[]) => rowsOf(client, { text, values }),
        tableOf: (type: string) => tables.nameOf(type),
        service: () => ({ enforceGlobalUnique: true }),
      } as never,
    );
const event = (objectId: number): ChangeEvent =>
  validateEvent({
    id: newEventId(),
    time: new Date().toISOString(),
    request: null,
    action: 'created',
    objectType: IP,
    objectId,
    version: 1,
    display: address(objectId),
    message: '',
    data: {},
    prechange: null,
    postchange: {},
    row: {},
    related: null,
  });

const cases: Case[] = [
  {
    service: 'dcim',
    fill: {
      [IP]: { _version: '1' },
      'dcim.site': { name: `'s' || n`, slug: `'s' || n`, custom_fields: `jsonb_build_object('code', n)` },
      'dcim.cable': {},
      'dcim.cabletermination': {
        cable_id: 'n',
        cable_end: `'A'`,
        termination_type: `'dcim.interface'`,
        termination_id: 'n',
      },
      'dcim.cablepath': {
        origin_type: `'dcim.interface'`,
        origin_ids: 'array[n]',
        seen: `array['dcim.interface:' || n]`,
        steps: `'[]'`,
      },
    },
    work: {
      'a replica follows': ({ tables }, client, ids) =>
        keepReplicas(
          tables,
          IP,
          ids.map((id) => JSON.stringify({ id, _version: 1, address: address(id), tags: [], custom_fields: {} })),
          client,
        ),
      'what may matter is looked for': ({ tables }, client, ids) =>
        heldAmong({ tables, pool: client } as never, IP, ids),
      'what is pointed at and missing is looked for': ({ tables }, client, ids) =>
        missingMutual(tables, IP, ids, client),
      'custom fields are unique': ({ tables, catalogue }, client, ids) =>
        checkUniqueCustomFields(
          tables,
          catalogue.get('dcim.site'),
          [{ name: 'code', unique: true }] as never,
          ids.map((id) => ({ item: { errors: {} } as never, object: { custom_fields: { code: id } } })),
          client,
        ),
      'paths are traced': ({ tables }, client, ids) =>
        retrace(
          ids.map((id) => ({ type: 'dcim.interface', id })),
          {
            query: (text, values) => rowsOf(client, { text, values: values ?? [] }),
            tableOf: (type) => tables.nameOf(type),
          },
        ),
    },
  },
  {
    service: 'ipam',
    fill: {
      [IP]: { address: `'10.0.0.0'::inet + n` },
      'ipam.prefix': { prefix: `set_masklen('10.0.0.0'::inet + n, 32)::cidr` },
    },
    work: {
      'addresses are unique': check(uniqueAddresses, 'address', 16),
      'prefixes are unique': check(uniquePrefixes, 'prefix', 32),
      'objects are changed': ({ tables, catalogue }, client, ids) =>
        updateRows(
          tables,
          catalogue.get(IP),
          ids.map((n) => ({
            id: n,
            address: `${address(n)}/16`,
            status: 'active',
            role: '',
            dns_name: '',
            description: '',
            comments: '',
            tags: [],
            custom_fields: {},
          })),
          client,
        ),
    },
  },
  {
    service: 'extras',
    fill: {
      'extras.taggeditem': { object_type: `'${IP}'`, object_id: 'n', tag_id: '1' },
      'core.objectchange': { id: 'n + 1000000', changed_object_type: `'${IP}'`, changed_object_id: 'n' },
    },
    work: {
      'any object is kept': (_, client, ids) =>
        storeAnyObjects(
          ids.map((id) => ({ type: typeId(IP), id, version: 1, display: address(id), brief: {}, tags: [1] })),
          client,
        ),
      'any object is dropped': (_, client, ids) => dropAnyObjects([{ type: IP, ids }], client),
      'tags are followed': ({ catalogue }, client, ids) => followTags(catalogue, ids.map(event), client),
      'changes are recorded': ({ catalogue }, client, ids) => recordChanges(catalogue, ids.map(event), client),
      'records are missed': (_, client, ids) =>
        unrecorded(
          ids.map(() => newEventId()),
          client,
        ),
    },
  },
];

describe.each(cases)('in $service', ({ service, fill, work }) => {
  let filled: Filled;
  let client: PoolClient;
  const repeat = async (): Promise<void> => {
    for (let i = 0; i < PLANNED; i++)
      for (const one of Object.values(work)) await readThrough(client, () => one(filled, client, few));
  };
  beforeAll(async () => {
    filled = await openFilled(service);
    client = await filled.pool.connect();
    for (const type of Object.keys(fill))
      await client.query(`alter table ${filled.tables.nameOf(type)} set (autovacuum_enabled = false)`);
    await repeat();
    for (const [type, values] of Object.entries(fill)) await filled.fill(type, ROWS, values, { analyze: false });
    if (filled.tables.keepsAnyObject)
      await client.query(
        `insert into replica.any_object (type, id, version, display, brief, tags) select ${typeId(IP)}, n, 1, 'x', '{}', '{1}' from generate_series(1, ${ROWS}) n`,
      );
  }, 2 * MINUTE);
  afterAll(async () => {
    client?.release();
    await filled?.close();
  });

  test.each(Object.keys(work))(
    '%s without reading a table from one end to the other',
    async (name) => {
      expect(await readThrough(client, () => work[name]!(filled, client, few))).toEqual({});
    },
    MINUTE,
  );
});
