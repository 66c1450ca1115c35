// Words for JSON Schemas.
import type { Model, Schema } from '@cadastre/model';

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** An object as the API shows it, and as others show it. */
export const whole = (model: Model): Schema => refTo(model.className);
export const brief = (model: Model): Schema => refTo(`Brief${model.className}`);

export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });
/** A dictionary with these members; all of them are there unless only some are named. */
export const record = (
  properties: Record<string, Schema>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({ type: 'object', properties, ...(required.length ? { required } : {}) });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
/** One, or a list of several. */
export const oneOrMore = (schema: Schema): Schema => ({ anyOf: [schema, arrayOf(schema)] });

export const pageOf = (results: Schema): Schema => ({
  type: 'object',
  required: ['count', 'next', 'previous', 'results'],
  properties: {
    count: { type: ['integer', 'null'] },
    next: { type: ['string', 'null'], format: 'uri' },
    previous: { type: ['string', 'null'], format: 'uri' },
    results: arrayOf(results),
  },
});

export const freeForm: Schema = { type: 'object', additionalProperties: true };
/** What every document holds beside its models' schemas. */
export const SHARED = {
  AnyObject: {
    ...record({ id: { type: 'integer' }, url: { type: 'string', format: 'uri' }, display: { type: 'string' } }),
    additionalProperties: true,
    description: 'An object of any type, in brief.',
  },
  Attributes: { ...freeForm, description: 'Attributes that exactly one object has.' },
};
/** An object of any type, in brief. */
export const anyBrief: Schema = refTo('AnyObject');
/** What a related object may be named by instead of its id. */
export const attributes: Schema = refTo('Attributes');
