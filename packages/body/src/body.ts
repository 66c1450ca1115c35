import type { IncomingMessage } from 'node:http';
import { type Dict, isDict, type Json } from '@cadastre/model';
import type { Form } from './form/multipart.ts';
import { readForm } from './form/read.ts';
import { type JsonOptions, jsonOf, jsonReading, readJson } from './json/read.ts';
import { type BodyLimits, bodyLimits, SMALL } from './limits.ts';
import { receive } from './receive.ts';
import { Refusal, refuse } from './refusal.ts';
import { packingOf, unpack } from './unpack.ts';

/**
 * The body of a request. Nothing is read before a handler asks for it: by then it is known who the client is and that
 * the client may make this request.
 */
export interface Body {
  /** The value of a JSON text; undefined for an empty body. @throws Refusal 400, 413, 415, 429, 503 */
  json(options?: JsonOptions): Promise<Json | undefined>;
  /** The fields and files of a form of either encoding; undefined for an empty body. @throws Refusal as `json` */
  form(): Promise<Form | undefined>;
  /** The media type that the client states (`Content-Type`). */
  readonly type: string | undefined;
  /** The value of a JSON text in a field of the form. All of them together count as one. @throws Refusal 400, 413 */
  jsonIn(text: string): Json;
  /** The same for one that may be large, with turns for others in between. */
  readJsonIn(text: string, options?: JsonOptions): Promise<Json>;
}

/** Where the bytes of a body come from, and how room for a large body is taken. */
export interface Source {
  headers: IncomingMessage['headers'];
  /** The bytes as they were sent. `grow` is awaited before more than a small body is kept. */
  bytes(most: number, grow: (bytes: number) => Promise<void>): Promise<Buffer>;
  /** Takes room for this many bytes, until the request has its answer. */
  room?(bytes: number): Promise<void>;
}

/** @throws Refusal 415 */
function requireJson(type: string | undefined): void {
  const named = (type ?? '').split(';')[0]!.trim().toLowerCase();
  if (named !== 'application/json') throw refuse(415, `Unsupported media type "${named}" in request.`);
}

function bodyFrom({ headers, bytes, room }: Source, limits: BodyLimits = bodyLimits): Body {
  const type = headers['content-type'];
  const { size } = limits;
  let values = limits.json.values;
  let taken: Promise<void> | undefined;
  const grow = async (amount: number): Promise<void> => {
    if (amount > SMALL) await (taken ??= room?.(amount) ?? Promise.resolve());
  };
  const sent = async (): Promise<{ packed: Buffer; packing: string | undefined }> => {
    const packing = packingOf(headers['content-encoding']);
    // How large a compressed body becomes is not known yet: a large one takes room for the largest that is accepted.
    const packed = await bytes(size.bytes, packing ? () => grow(size.bytes) : grow);
    return { packed, packing };
  };
  const unpacked = (packed: Buffer, packing: string, heard?: (held: Buffer, length: number) => Promise<void>) =>
    unpack(packed, packing, size, async (held, length) => {
      await grow(length > SMALL ? Math.min(size.bytes, Math.max(length, packed.length * size.ratio)) : 0);
      await heard?.(held, length);
    });

  return {
    type,
    async json(options = {}) {
      const { packed, packing } = await sent();
      if (!packed.length) return undefined;
      requireJson(type);
      if (!packing) return readJson(packed, limits.json, options);
      const reading = jsonReading(limits.json, options);
      return reading.value(await unpacked(packed, packing, reading.look));
    },
    async form() {
      const { packed, packing } = await sent();
      return packed.length
        ? readForm(packing ? await unpacked(packed, packing) : packed, type, limits.form)
        : undefined;
    },
    jsonIn(text) {
      const counted = { ...limits.json, values };
      const { value, count } = jsonOf(Buffer.from(text), counted);
      values -= count;
      return value;
    },
    readJsonIn: (text, options) => readJson(Buffer.from(text), { ...limits.json, values }, options),
  };
}

/** A body whose bytes are in memory already. */
export const bodyOf = (bytes: Buffer, headers: Source['headers'], limits?: BodyLimits): Body =>
  bodyFrom({ headers, bytes: async () => bytes }, limits);

/** The body of a request, read as it arrives. `room` takes room for it until the request has its answer. */
export const bodyOn = (request: IncomingMessage, limits: BodyLimits, room?: Source['room']): Body =>
  bodyFrom(
    { headers: request.headers, bytes: (most, grow) => receive(request, most, grow), ...(room ? { room } : {}) },
    limits,
  );

/** The body as a dictionary; an empty one when there is no body. @throws Refusal 400 when it is something else */
export async function dictionaryIn(body: Body | undefined): Promise<Dict> {
  const given = (await body?.json()) ?? {};
  if (!isDict(given)) throw new Refusal(400, { non_field_errors: ['Invalid data. Expected a dictionary.'] });
  return given;
}
