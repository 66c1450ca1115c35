import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { unzip as unzipped } from 'node:zlib';
import type { OnLog } from '../../log/log.ts';

// kafkajs 2.2.4 reads what brokers send without any limit, and a batch that it cannot read ends the member; the next
// member fetches the same batch again, and so on for ever. Brokers accept batches from every client that may write to a
// topic, so a batch may contain anything.

/** The most bytes of a decompressed batch: eight times the largest compressed message that our topics accept. */
const BATCH_BYTES = 128 * 1024 * 1024;
/** The most records of a batch, and the most items of any other list that a broker sends. */
const RECORDS = 50_000;
/** The most headers of a record: kafkajs needs time quadratic in their number. */
const HEADERS = 100;

interface Decoder {
  buffer: Buffer;
  offset: number;
  readInt32(): number;
  readVarInt(): number;
  readArray(read: unknown): unknown[];
  readVarIntArray(read: unknown): unknown[];
}
type DecoderClass = new (buffer: Buffer) => Decoder;
type Decode<T> = (given: T) => Promise<unknown>;

const load = createRequire(import.meta.url);
const unzip = promisify(unzipped);
let tell: OnLog | undefined;
let done = false;

/**
 * Limits what kafkajs reads, for all clients of the process, and skips batches that cannot be read. Skipped batches are
 * logged once per fetch; a consumer treats them like messages that have been deleted (`onMissed`).
 */
export function boundReading(onLog: OnLog | undefined): void {
  tell = onLog ?? tell;
  if (done) return;
  done = true;
  const Reader = load('kafkajs/src/protocol/decoder') as DecoderClass;
  boundLists(Reader.prototype as Decoder);
  const { Codecs, Types } = load('kafkajs/src/protocol/message/compression') as {
    Codecs: Record<number, () => { decompress(packed: Buffer): Promise<Buffer> }>;
    Types: { GZIP: number };
  };
  const gzip = Codecs[Types.GZIP]!();
  const bounded = {
    ...gzip,
    async decompress(packed: Buffer): Promise<Buffer> {
      const bytes = await unzip(packed, { maxOutputLength: BATCH_BYTES });
      countRecords(new Reader(bytes));
      return bytes;
    },
  };
  Codecs[Types.GZIP] = () => bounded;

  const answer = load('kafkajs/src/protocol/requests/fetch/v11/response') as { decode: Decode<Buffer> };
  const { decode } = answer;
  answer.decode = (bytes) =>
    decode(bytes).catch(async () => {
      // Searched only after a failure, because otherwise every fetch would pay for the search.
      const readable = await withoutUnreadable(bytes, Reader);
      return decode(readable);
    });
}

function boundLists(prototype: Decoder): void {
  const bound = (name: 'readArray' | 'readVarIntArray', count: 'readInt32' | 'readVarInt', most: number): void => {
    const read = prototype[name];
    prototype[name] = function (this: Decoder, one) {
      const { offset } = this;
      const length = this[count]();
      if (length > most) throw new Error(`a list has ${length} items, more than ${most}`);
      this.offset = offset;
      return read.call(this, one);
    };
  };
  bound('readArray', 'readInt32', RECORDS);
  bound('readVarIntArray', 'readVarInt', HEADERS);
}

/** @throws Error when there are too many records */
function countRecords(decoder: Decoder): void {
  const end = decoder.buffer.length;
  for (let count = 0; decoder.offset < end; count++) {
    if (count >= RECORDS) throw new Error(`a batch has more than ${RECORDS} records`);
    const length = decoder.readVarInt();
    if (length < 0) throw new Error('a record has no length');
    decoder.offset += length;
  }
}

/** Byte positions in a record batch of the Kafka protocol. */
const LENGTH = 8;
const OVERHEAD = 12;
const ATTRIBUTES = 21;
const LAST_OFFSET_DELTA = 23;
const COUNT = 57;
const FIRST_RECORD = 61;
const CONTROL = 0x20;

/** A copy of the answer in which unreadable batches are replaced by control batches, which consumers never receive. */
async function withoutUnreadable(given: Buffer, Reader: DecoderClass): Promise<Buffer> {
  const answer = Buffer.from(given);
  const read = load('kafkajs/src/protocol/recordBatch/v0/decoder') as Decode<Decoder>;
  const passedOver: string[] = [];
  for (const { topic, partition, from, to } of recordSets(answer)) {
    for (let at = from; at + FIRST_RECORD < to; ) {
      const end = at + OVERHEAD + answer.readInt32BE(at + LENGTH);
      // The last batch may be cut off; it is fetched again.
      if (end > to || end <= at) break;
      const batch = answer.subarray(at, end);
      await read(new Reader(batch)).catch((error: Error) => {
        mark(batch);
        passedOver.push(`${topic} ${partition} ${batch.readBigInt64BE(0)}: ${error.message}`);
      });
      at = end;
    }
  }
  if (passedOver.length > 0) tell?.('error', 'messages that cannot be read are passed over', { messages: passedOver });
  return answer;
}

/**
 * Turns a batch into a control batch with one record at the offset of its last record, so that reading goes on after
 * it.
 */
function mark(batch: Buffer): void {
  const delta = varInt(batch.readInt32BE(LAST_OFFSET_DELTA));
  // Attributes 0, timestamp delta 0, the offset delta, a null key (zigzag 1), a null value, no headers.
  const record = [0, 0, ...delta, 1, 1, 0];
  batch.writeInt16BE(CONTROL, ATTRIBUTES);
  batch.writeInt32BE(1, COUNT);
  Buffer.from([...varInt(record.length), ...record]).copy(batch, FIRST_RECORD);
}

/** A zigzag varint: seven bits to a byte. */
function varInt(value: number): number[] {
  const bytes: number[] = [];
  let left = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  return [...bytes, left];
}

/** The byte ranges of each partition's records in the response to a fetch, version 11. */
function* recordSets(bytes: Buffer): Generator<{ topic: string; partition: number; from: number; to: number }> {
  let at = 4 + 2 + 4;
  const int32 = (): number => bytes.readInt32BE((at += 4) - 4);
  for (let topics = int32(); topics > 0; topics--) {
    const length = bytes.readInt16BE((at += 2) - 2);
    const topic = bytes.toString('utf8', at, (at += length));
    for (let partitions = int32(); partitions > 0; partitions--) {
      const partition = int32();
      // Skips the error code and three offsets, then the aborted transactions (16 bytes each) and the preferred read
      // replica.
      at += 2 + 3 * 8;
      const transactions = Math.max(0, int32());
      at += 16 * transactions + 4;
      const size = Math.max(0, int32());
      yield { topic, partition, from: at, to: Math.min(at + size, bytes.length) };
      at += size;
    }
  }
}
