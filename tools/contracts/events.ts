// The events that a service publishes to the event log, as data that can be recorded and compared.
import { keyOf, topicOf } from '@cadastre/events';
import { eventSchema, eventText } from '@cadastre/events/eventText';
import { type Catalogue, members, type Model } from '@cadastre/model';
import { eventColumns } from '@cadastre/rest/write/record/record';
import { z } from 'zod';
import { exampleNotice } from './examples.ts';

/** The part of JSON Schema that events use. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly [more: string]: unknown;
}
type Types = Readonly<Record<string, string>>;

/** The contents of events about objects of one type. */
export interface ObjectContract {
  /** The members of `row` with the types of their columns: replicas are filled from them. */
  readonly row?: Types;
  /** The members of `data` with their JSON types. */
  readonly data: Types;
}
export interface EventContract {
  readonly topic: string;
  /** Messages with the same key keep their order. */
  readonly key: string;
  /** By object type. */
  readonly objects: Readonly<Record<string, ObjectContract>>;
}

/** The members that all events share. */
export interface EnvelopeContract {
  /** How the text of an event is composed; each name in angle brackets stands for JSON text. */
  readonly text: string;
  readonly schema: JsonSchema;
}

export const envelopeContract = (): EnvelopeContract => ({
  text: eventText('{<members>}', {
    row: '<row>',
    data: '<data>',
    prechange: '<prechange>',
    postchange: '<postchange>',
  }),
  schema: envelopeSchema(),
});

/** The members of an event, as JSON Schema. */
export const envelopeSchema = (): JsonSchema =>
  z.toJSONSchema(eventSchema, {
    unrepresentable: 'any',
    io: 'input',
    // The format is the contract; the pattern by which the library checks it is not.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  }) as JsonSchema;

/** A value that depends on other models, or may be anything. */
const ANY = 'any';

/** The JSON types of a schema's values, by the names of JSON Schema. */
function jsonType(schema: Readonly<Record<string, unknown>>): string {
  const { type, anyOf, oneOf, $ref, enum: values } = schema;
  if (type !== undefined) return [type].flat().join(' or ');
  const some = (anyOf ?? oneOf) as Record<string, unknown>[] | undefined;
  if (some) return [...new Set(some.map(jsonType))].join(' or ');
  if (Array.isArray(values))
    return [...new Set(values.map((one) => (one === null ? 'null' : typeof one)))].join(' or ');
  return $ref === undefined ? ANY : 'object';
}

function dataOf(model: Model): Types {
  const own = members(model, 'complete').filter((name) => !model.fields[name]?.secret);
  return Object.fromEntries(
    own.map((name) => {
      const field = model.fields[name];
      if (!field) return [name, name === 'id' ? 'integer' : 'string'];
      const type = jsonType(field.schema.read);
      return [name, type === ANY ? field.kind : `${field.kind}: ${type}`];
    }),
  );
}

/** Everything that a service publishes. */
export function eventContract(service: string, catalogue: Catalogue): EventContract {
  const models = catalogue.ownedBy(service);
  return {
    topic: topicOf(service),
    key: keyOf({ objectType: '<app>.<model>', objectId: '<id>' as unknown as number }),
    objects: {
      ...Object.fromEntries(models.map((model) => [model.name, { row: eventColumns(model), data: dataOf(model) }])),
      ...(service === 'webhooks' ? { [exampleNotice.objectType]: noticeContract() } : {}),
    },
  };
}

/** No model declares the notification of users: its members follow from the code. */
const noticeContract = (): ObjectContract => ({
  data: Object.fromEntries(Object.entries(exampleNotice.data!).map(([name, value]) => [name, typeof value])),
});
