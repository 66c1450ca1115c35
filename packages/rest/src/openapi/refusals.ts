import type { Schema } from '@cadastre/model';
import { arrayOf, freeForm, record, refTo } from './shapes.ts';

/** The answers to requests that are refused. */
const DETAIL: Schema = { ...record({ detail: { type: 'string' } }), additionalProperties: true };
const INVALID: Schema = {
  description: 'Messages by the name of the field, or `detail`; for several objects one entry each, in their order.',
  anyOf: [freeForm, arrayOf({ anyOf: [freeForm, { type: 'string' }] })],
};

const PLURAL = {
  'Retry-After': { schema: { type: 'string' }, description: 'After how many seconds it makes sense to try again.' },
};

/** Every refusal of an API request, by its status: a name, what it means, and what it holds. */
const REFUSALS = {
  400: ['BadRequest', 'Something about the request is wrong; the answer names it.', 'Invalid'],
  403: ['Forbidden', 'Nobody is known by the token, or who is known may not do this.', 'Refusal'],
  404: ['NotFound', 'There is no such object, or it may not be seen.', 'Refusal'],
  408: ['RequestTimeout', 'The body did not arrive in time.', 'Refusal'],
  409: ['Conflict', 'What there is stands in the way, such as objects that depend on this one.', 'Refusal'],
  412: ['PreconditionFailed', 'The object has changed since: its ETag is not the one in `If-Match`.', 'Refusal'],
  413: ['TooLarge', 'The body is too long, or holds too many objects.', 'Refusal'],
  415: ['UnsupportedMediaType', 'The body is of a type that is not understood.', 'Refusal'],
  429: ['TooManyRequests', 'This was tried too often, or too many requests of this client are under way.', 'Refusal'],
  503: [
    'Unavailable',
    'A service that is needed cannot be reached at present, or nothing can be changed. Nothing was changed.',
    'Refusal',
  ],
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/** The components that `refusals` refers to. */
export const refusalComponents = (): { schemas: Record<string, Schema>; responses: Record<string, object> } => ({
  schemas: { Refusal: DETAIL, Invalid: INVALID },
  responses: Object.fromEntries(
    Object.entries(REFUSALS).map(([status, [name, description, schema]]) => [
      name,
      {
        description,
        ...(status === '429' || status === '503' ? { headers: PLURAL } : {}),
        content: { 'application/json': { schema: refTo(schema) } },
      },
    ]),
  ),
});

/**
 * The refusals of an operation: besides its own, any operation may refuse a wrong address (400), the requester (403) or
 * too frequent requests (429), or fail because a service is away (503).
 */
export const refusals = (...more: RefusalStatus[]): Record<number, { $ref: string }> =>
  Object.fromEntries(
    ([400, 403, 429, 503, ...more] as const).map((status) => [
      status,
      { $ref: `#/components/responses/${REFUSALS[status][0]}` },
    ]),
  );

/** The refusals of an operation that reads a body, because of that body. */
export const BODY: readonly RefusalStatus[] = [408, 413, 415];
