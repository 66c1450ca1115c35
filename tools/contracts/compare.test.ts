import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { brokenEnvelope, brokenEvents, brokenMembers } from './compareEvents.ts';
import { brokenCalls } from './compareGrpc.ts';
import { type EventContract, envelopeContract, envelopeSchema, type JsonSchema } from './events.ts';
import { type GrpcContract, grpcContract } from './grpc.ts';

const PROTO = `syntax = "proto3";
package town;
service Houses {
  rpc Find(FindRequest) returns (FindResponse);
  rpc List(FindRequest) returns (stream House);
}
message FindRequest { string street = 1; int64 number = 2; }
message House { int64 id = 1; repeated string names = 2; Owner owner = 3; }
message Owner { string name = 1; }
message FindResponse { repeated House houses = 1; bool more = 2; }
`;

/** The contract of a proto file. */
function contractOf(text: string): GrpcContract {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-proto-'));
  try {
    writeFileSync(join(folder, 'houses.proto'), text);
    return grpcContract({ proto: 'houses.proto', service: 'town.Houses' }, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const recorded = contractOf(PROTO);
const changed = (what: string, to: string): string[] => {
  expect(PROTO).toContain(what);
  return brokenCalls(recorded, contractOf(PROTO.replaceAll(what, to)));
};

test.each([
  ['a removed method', '  rpc Find(FindRequest) returns (FindResponse);\n', '', 'The method Find is missing'],
  ['a renamed method', 'rpc Find(', 'rpc Search(', 'The method Find is missing'],
  ['an answer instead of a stream', 'stream House', 'House', 'The method List answers once now'],
  [
    'a stream instead of an answer',
    '(FindResponse)',
    '(stream FindResponse)',
    'The method Find answers with a stream now',
  ],
  ['a removed field', ' int64 number = 2;', '', 'The field number of town.FindRequest is missing'],
  ['a removed field deep inside', ' string name = 1;', '', 'The field name of town.Owner is missing'],
  ['another number', 'number = 2', 'number = 3', 'had the number 2 and has 3'],
  ['a number for something else', 'int64 number = 2', 'int64 floor = 2', 'has the number 2, which floor has now'],
  ['another type', 'int64 number', 'string number', 'was int64 and is string'],
  ['one instead of several', 'repeated string names', 'string names', 'was repeated string and is string'],
  ['several instead of one', 'Owner owner', 'repeated Owner owner', 'was town.Owner and is repeated town.Owner'],
  ['a text instead of a message', 'Owner owner', 'string owner', 'was town.Owner and is string'],
  ['another message', '(FindResponse)', '(Owner)', 'The field more of town.FindResponse is missing'],
])('a neighbour does not understand %s', (_, what, to, problem) => {
  expect(changed(what, to).join('\n')).toContain(problem);
});

test.each([
  ['what it was', 'Find', 'Find'],
  ['a new method', 'service Houses {', 'service Houses {\n  rpc Count(FindRequest) returns (Owner);'],
  ['a new field', 'bool more = 2;', 'bool more = 2; int64 count = 3;'],
  ['a message that is called otherwise', 'Owner', 'Person'],
])('a neighbour understands %s', (_, what, to) => {
  expect(changed(what, to)).toEqual([]);
});

const events: EventContract = {
  topic: 'cadastre.changes.town',
  key: '<app>.<model>:<id>',
  objects: { 'town.house': { row: { id: 'bigint', name: 'text' }, data: { id: 'integer', name: 'text: string' } } },
};
const house = events.objects['town.house']!;
const withHouse = (part: object): EventContract => ({ ...events, objects: { 'town.house': { ...house, ...part } } });

test.each<[string, EventContract, string]>([
  ['another topic', { ...events, topic: 'changes' }, 'The topic was cadastre.changes.town'],
  ['another key', { ...events, key: '<app>.<model>' }, 'The key of messages was <app>.<model>:<id>'],
  ['a type that is missing', { ...events, objects: {} }, 'Events of town.house are missing'],
  ['a column that is missing', withHouse({ row: { id: 'bigint' } }), 'name in the row of town.house is missing'],
  ['a column of another type', withHouse({ row: { id: 'bigint', name: 'jsonb' } }), 'was "text" and is "jsonb"'],
  ['a member that is missing', withHouse({ data: { id: 'integer' } }), 'name in the data of town.house is missing'],
  ['no row at all', withHouse({ row: undefined }), 'id in the row of town.house is missing'],
])('a neighbour does not understand events with %s', (_, present, problem) => {
  expect(brokenEvents(events, present).join('\n')).toContain(problem);
});

test('a neighbour understands events that say more', () => {
  const more = withHouse({ row: { ...house.row, floors: 'integer' }, data: { ...house.data, floors: 'integer' } });
  expect(brokenEvents(events, { ...more, objects: { ...more.objects, 'town.gate': house } })).toEqual([]);
});

type Properties = Record<string, JsonSchema>;
const event = envelopeSchema() as { properties: Properties; required: string[] };
const without = (name: string): Properties =>
  Object.fromEntries(Object.entries(event.properties).filter(([one]) => one !== name));

test.each<[string, JsonSchema, string]>([
  ['lack a member', { ...event, properties: without('version') }, 'version is missing'],
  [
    'lack one inside',
    {
      ...event,
      properties: { ...event.properties, related: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] } },
    },
    'related.type is missing',
  ],
  [
    'have another type',
    { ...event, properties: { ...event.properties, version: { type: 'string' } } },
    'version is something else',
  ],
  [
    'know more actions',
    { ...event, properties: { ...event.properties, action: { type: 'string', enum: ['created', 'moved'] } } },
    'action is something else',
  ],
  [
    'may lack a member',
    { ...event, required: event.required.filter((name) => name !== 'time') },
    'time may be left out',
  ],
  [
    'must have a new one',
    { ...event, properties: { ...event.properties, cause: {} }, required: [...event.required, 'cause'] },
    'cause must be there',
  ],
  [
    'may no longer be of no request',
    {
      ...event,
      properties: { ...event.properties, request: (event.properties['request'] as { anyOf: JsonSchema[] }).anyOf[0]! },
    },
    'request must not be null',
  ],
])('a neighbour does not understand events that %s', (_, present, problem) => {
  expect(brokenMembers(event, present).join('\n')).toContain(problem);
});

test('a neighbour understands events with one more member, which may be missing', () => {
  const present = { ...event, properties: { ...event.properties, cause: { type: 'string' } } };
  expect([brokenMembers(event, present), brokenMembers(event, event)]).toEqual([[], []]);
});

test('a neighbour does not understand another text of events', () => {
  const recorded = envelopeContract();
  const present = { ...recorded, text: recorded.text.replaceAll('\t', ' ') };
  expect(brokenEnvelope(recorded, present).join()).toContain('The text of events was');
  expect(brokenEnvelope(recorded, recorded)).toEqual([]);
});
