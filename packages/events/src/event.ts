import { z } from 'zod';

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** What happened to an object. */
export type Action = 'created' | 'updated' | 'deleted';

/** The request that caused a change; null for changes without one (jobs, cascades from other services). */
export interface EventRequest {
  id: string;
  method: string;
  path: string;
  user: string | null;
  userId: number | null;
}

/** One change of one object: the change record, the outbox row and the message on the log are this one thing. */
export interface ChangeEvent {
  /** UUIDv7; consumers are idempotent by it. */
  id: string;
  /** ISO 8601 in UTC with microseconds. */
  time: string;
  request: EventRequest | null;
  action: Action;
  /** `<app>.<model>`, for example `dcim.site`. */
  objectType: string;
  objectId: number;
  /** The row's version after the change; makes a late or repeated event harmless. */
  version: number;
  display: string;
  message: string;
  /** The REST representation, URLs without host. */
  data: JsonObject | null;
  prechange: JsonObject | null;
  postchange: JsonObject | null;
  /** The raw row by column name. */
  row: JsonObject | null;
  /** The object that this one belongs to, if any. */
  related: { type: string; id: number } | null;
  /** It follows from a change elsewhere: other changes of the object may come after it under the same request. */
  consequence?: boolean | undefined;
}

/**
 * Whether only derived columns changed (a branch of a tree moved, say): replicas follow it, and nobody else is told, as nobody did
 * anything to the object.
 */
export const isDerived = (event: ChangeEvent): boolean => event.action === 'updated' && event.data === null;

/** A message on the log that is not a change event. Trying again cannot help, so consumers park it at once. */
export class InvalidEvent extends Error {
  override name = 'InvalidEvent';
}

/** The topic that a service publishes its changes to. */
export const topicOf = (service: string): string => `cadastre.changes.${service}`;

/** Messages with one key keep their order: a key is an object. */
export const keyOf = (event: Pick<ChangeEvent, 'objectType' | 'objectId'>): string => `${event.objectType}:${event.objectId}`;

/** The type of the object that a key names. */
export const typeIn = (key: string): string => key.slice(0, key.indexOf(':'));

// The contents of the objects are the model's business; walking them here would cost as much as parsing them.
const object = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'expected an object');
const objectType = z.string().regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, 'expected <app>.<model>');
const id = z.int().nonnegative();

// Unknown keys are dropped, so that a newer publisher does not stop an older consumer.
const schema: z.ZodType<ChangeEvent> = z.object({
  id: z.uuid(),
  time: z.iso.datetime({ offset: true }),
  request: z.object({ id: z.string(), method: z.string(), path: z.string(), user: z.string().nullable(), userId: id.nullable() }).nullable(),
  action: z.enum(['created', 'updated', 'deleted']),
  objectType,
  objectId: id,
  version: id,
  display: z.string(),
  message: z.string(),
  data: object.nullable(),
  prechange: object.nullable(),
  postchange: object.nullable(),
  row: object.nullable(),
  related: z.object({ type: objectType, id }).nullable(),
  consequence: z.boolean().optional(),
});

/** Checks that a value is a change event. Throws `InvalidEvent`, which names the field. */
export function validateEvent(value: unknown): ChangeEvent {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new InvalidEvent(`not a change event: ${issue?.path.join('.') || 'value'}: ${issue?.message ?? 'invalid'}`);
}

/** Reads an event from the text of a log message. Throws `InvalidEvent`. */
export function parseEvent(text: string): ChangeEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidEvent('not a change event: not JSON');
  }
  return validateEvent(value);
}
