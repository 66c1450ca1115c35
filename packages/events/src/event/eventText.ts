import { z } from 'zod';
import { type ChangeEvent, InvalidEvent, type JsonObject, PARTS, type Part } from './event.ts';

// Compact JSON contains no tabs, and may have them between its tokens. A tab before each part lets readers find the
// parts without parsing them.
const MARK = '\t';
const BEGINS = PARTS.map((name) => `,"${name}":`);

/**
 * JSON text of an event, given the texts of its parts and of an object with all other members, so that readers need not
 * parse the parts that they do not use.
 */
export const eventText = (rest: string, parts: Readonly<Record<Part, string>>): string =>
  [rest.slice(0, -1), ...PARTS.flatMap((name, i) => [MARK, BEGINS[i], parts[name]]), '}'].join('');

/**
 * The end of the head of an event that does not concern every partial replica. Parsing an event drops it: consumers get
 * it with the message instead.
 */
export const irrelevantToText = (names: readonly string[]): string =>
  names.length ? `,"aside":${JSON.stringify(names.join(' '))}` : '';

const ASIDE = /,"aside":"([^"]*)"$/;

/** The names of the partial replicas that an event does not concern, read from its text. */
export function irrelevantTo(text: string): string | undefined {
  const end = text.indexOf(MARK);
  // Text that clients wrote stands before it and has its quotation marks escaped, so it cannot match.
  return end < 0 ? undefined : ASIDE.exec(text.slice(0, end))?.[1];
}

/** The JSON text of an event. */
export function textOf(event: ChangeEvent): string {
  const { row: _, data: __, prechange: ___, postchange: ____, ...rest } = event;
  return eventText(
    JSON.stringify(rest),
    Object.fromEntries(PARTS.map((name) => [name, partText(event, name)])) as Record<Part, string>,
  );
}

// The contents of the objects are the model's business; walking them here would cost as much as parsing them.
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const object = z.custom<JsonObject>(isObject, 'expected an object');
const objectType = z.string().regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, 'expected <app>.<model>');
const id = z.int().nonnegative();

// Unknown keys are dropped, so that a newer publisher does not stop an older consumer.
const head = z.object({
  id: z.uuid(),
  time: z.iso.datetime({ offset: true }),
  request: z
    .object({
      id: z.string(),
      method: z.string(),
      path: z.string(),
      user: z.string().nullable(),
      userId: id.nullable(),
    })
    .nullable(),
  action: z.enum(['created', 'updated', 'deleted']),
  objectType,
  objectId: id,
  version: id,
  display: z.string(),
  message: z.string(),
  related: z.object({ type: objectType, id }).nullable(),
  consequence: z.boolean().optional(),
  asOf: z.iso.datetime({ offset: true }).optional(),
  imported: z.boolean().optional(),
});
/** What all events have in common. */
export const eventSchema: z.ZodType<ChangeEvent> = head.extend({
  data: object.nullable(),
  prechange: object.nullable(),
  postchange: object.nullable(),
  row: object.nullable(),
});
const part = object.nullable();

type Head = z.infer<typeof head>;

/** An event whose parts are parsed when they are first read. */
class Received implements ChangeEvent {
  readonly id;
  readonly time;
  readonly request;
  readonly action;
  readonly objectType;
  readonly objectId;
  readonly version;
  readonly display;
  readonly message;
  readonly related;
  readonly consequence;
  readonly asOf;
  readonly imported;
  readonly #texts: Readonly<Record<Part, string>>;
  readonly #read: { [name in Part]?: JsonObject | null } = {};

  constructor(head: Head, texts: Readonly<Record<Part, string>>) {
    this.id = head.id;
    this.time = head.time;
    this.request = head.request;
    this.action = head.action;
    this.objectType = head.objectType;
    this.objectId = head.objectId;
    this.version = head.version;
    this.display = head.display;
    this.message = head.message;
    this.related = head.related;
    this.consequence = head.consequence;
    this.asOf = head.asOf;
    this.imported = head.imported;
    this.#texts = texts;
  }

  get row(): JsonObject | null {
    return this.#part('row');
  }
  get data(): JsonObject | null {
    return this.#part('data');
  }
  get prechange(): JsonObject | null {
    return this.#part('prechange');
  }
  get postchange(): JsonObject | null {
    return this.#part('postchange');
  }

  /** @throws InvalidEvent */
  #part(name: Part): JsonObject | null {
    const known = this.#read[name];
    if (known !== undefined) return known;
    const value = json(this.#texts[name]);
    // Checking this with a schema takes half as long as parsing the text.
    return (this.#read[name] = value === null || isObject(value) ? value : checked(part, value, name));
  }

  toJSON(): ChangeEvent {
    return plain(this);
  }

  static textOf(event: Received, name: Part): string {
    return event.#texts[name];
  }
}

/** A copy of an event with all members as own properties, so that it can be spread or compared. */
export function plain(event: ChangeEvent): ChangeEvent {
  const { row, data, prechange, postchange } = event;
  return { ...event, row, data, prechange, postchange };
}

/** JSON text of a part of an event: unchanged if the event was received as text. */
export const partText = (event: ChangeEvent, name: Part): string =>
  event instanceof Received ? Received.textOf(event, name) : JSON.stringify(event[name]);

/**
 * Whether only derived columns changed (say, because a branch of a tree moved): replicas follow such a change, but
 * nobody is notified, since nobody changed the object itself.
 */
export const isDerived = (event: ChangeEvent): boolean =>
  event.action === 'updated' && partText(event, 'data') === 'null';

/** Whether people and other systems are notified of a change; replicas follow every change. */
export const isTold = (event: ChangeEvent): boolean => !event.imported && !isDerived(event);

/** Checks that a value is a change event. Throws `InvalidEvent`, which names the field. */
export const validateEvent = (value: unknown): ChangeEvent => checked(eventSchema, value);

/**
 * Reads an event from the text of a log message. Throws `InvalidEvent`; for an invalid part only when the part is read.
 */
export function parseEvent(text: string): ChangeEvent {
  const [rest, ...parts] = text.split(MARK);
  const last = parts.length - 1;
  if (last !== PARTS.length - 1 || !parts.every((one, i) => one.startsWith(BEGINS[i]!)) || !text.endsWith('}'))
    return validateEvent(json(text));
  const texts = Object.fromEntries(
    PARTS.map((name, i) => [name, parts[i]!.slice(BEGINS[i]!.length, i === last ? -1 : undefined)]),
  ) as Record<Part, string>;
  return new Received(checked(head, json(`${rest}}`)), texts);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidEvent('not a change event: not JSON');
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown, place?: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = [...(place ? [place] : []), ...(issue?.path ?? [])];
  throw new InvalidEvent(`not a change event: ${path.join('.') || 'value'}: ${issue?.message ?? 'invalid'}`);
}
