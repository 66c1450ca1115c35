import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { boundReading } from './unreadable.ts';

const told: unknown[] = [];
boundReading((...line) => void told.push(line));

interface Answer {
  responses: { partitions: { messages: { offset: string; value: Buffer | null; isControlRecord: boolean }[] }[] }[];
}
const { decode } = createRequire(import.meta.url)('kafkajs/src/protocol/requests/fetch/v11/response') as {
  decode(bytes: Buffer): Promise<Answer>;
};

const int = (size: 1 | 2 | 4, value: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(value, 0, size);
  return bytes;
};
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
};
const varInt = (value: number): Buffer => {
  const bytes: number[] = [];
  let left = value * 2;
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left & 0x7f) | 0x80);
  return Buffer.from([...bytes, left]);
};
const record = (value: Buffer, delta = 0, headers = 0): Buffer => {
  const inner = Buffer.concat([
    Buffer.from([0, 0]),
    varInt(delta),
    Buffer.from([1]),
    varInt(value.length),
    value,
    varInt(headers),
    // No name, and no value.
    ...Array.from({ length: headers }, () => Buffer.from([0, 1])),
  ]);
  return Buffer.concat([varInt(inner.length), inner]);
};
const batch = (offset: number, records: Buffer, count = 1, codec = 0): Buffer => {
  const rest = Buffer.concat([
    ...[int(4, 0), int(1, 2), int(4, 0), int(2, codec), int(4, count - 1), long(0), long(0)],
    ...[long(-1), int(2, -1), int(4, -1), int(4, count)],
    codec === 1 ? gzipSync(records) : records,
  ]);
  return Buffer.concat([long(offset), int(4, rest.length), rest]);
};
const fetched = (...batches: Buffer[]): Buffer => {
  const records = Buffer.concat(batches);
  return Buffer.concat([
    ...[int(4, 0), int(2, 0), int(4, 0), int(4, 1), int(2, 1), Buffer.from('t'), int(4, 1)],
    ...[int(4, 3), int(2, 0), long(9), long(9), long(0), int(4, 1), long(1), long(1), int(4, -1)],
    ...[int(4, records.length), records],
  ]);
};
const small = record(Buffer.from('v'));

test.each<[string, () => Buffer]>([
  ['that unpack to any amount', () => batch(1, record(Buffer.alloc(130 * 2 ** 20)), 1, 1)],
  ['in any number', () => batch(1, Buffer.concat(Array(60_000).fill(small)), 60_000, 1)],
  ['in any number, not packed', () => batch(1, Buffer.concat(Array(60_000).fill(small)), 60_000)],
  ['with any number of headers', () => batch(1, record(Buffer.from('v'), 0, 5_000), 1, 1)],
  ['that are packed in a way that is not known', () => batch(1, Buffer.alloc(40), 1, 4)],
  ['that are not what their batch says', () => batch(1, Buffer.alloc(40, 0xff), 1, 1)],
])('messages %s are passed over and told of, and reading goes on', async (_, wrong) => {
  told.length = 0;
  const bad = wrong();
  const count = bad.readInt32BE(23);
  const answer = await decode(fetched(batch(0, record(Buffer.from('before'))), bad, batch(count + 2, small)));
  const { messages } = answer.responses[0]!.partitions[0]!;
  expect(messages.map(({ offset, value, isControlRecord }) => [offset, String(value), isControlRecord])).toEqual([
    ['0', 'before', false],
    [String(count + 1), 'null', true],
    [String(count + 2), 'v', false],
  ]);
  expect(told).toEqual([
    ['error', 'messages that cannot be read are passed over', { messages: [expect.stringMatching(/^t 3 1: ./)] }],
  ]);
});

test('what can be read is read, packed or not', async () => {
  told.length = 0;
  const two = Buffer.concat([small, record(Buffer.from('w'), 1)]);
  const { responses } = await decode(fetched(batch(0, two, 2, 1), batch(2, small)));
  expect(responses[0]!.partitions[0]!.messages.map(({ offset, value }) => [offset, String(value)])).toEqual([
    ['0', 'v'],
    ['1', 'w'],
    ['2', 'v'],
  ]);
  expect(told).toEqual([]);
});
