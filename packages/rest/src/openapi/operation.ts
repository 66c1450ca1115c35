import type { Schema } from '@cadastre/model';
import { BODY, type RefusalStatus, refusals } from './refusals.ts';

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  description?: string;
  required?: boolean;
  schema: Schema;
}

/** What an action does with one method, for the API document. It stands beside the action's code. */
export interface Operation {
  summary: string;
  parameters?: Parameter[];
  /** What a body holds. */
  request?: Schema;
  /** What is answered; nothing (204) without it. */
  answer?: Schema;
  /** The media type of the answer, where it is not JSON. */
  as?: string;
  /** Other forms in which the same is answered. */
  also?: string[];
  /** Whether it is about several objects, and exists for one object too. */
  bulk?: true;
  /** 200 unless said otherwise. */
  status?: number;
  /** Why there may be no answer (204). */
  nothing?: string;
  /** Its own refusals; those that every operation of its address and method has are added. */
  refuses?: readonly RefusalStatus[];
}

export type Operations = Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Operation>>;

export const parameter = (name: string, schema: Schema, description?: string): Parameter => ({
  name,
  in: 'query',
  schema,
  ...(description ? { description } : {}),
});

/** The parameters of what is answered page by page. */
export const pageParameters: Parameter[] = [
  parameter('limit', { type: 'integer' }, 'Objects per page.'),
  parameter('offset', { type: 'integer' }, 'How many objects to skip.'),
];

const VERBS = { POST: 'create', PUT: 'update', PATCH: 'partial_update', DELETE: 'destroy' } as const;

/** Where an action is, and what it does there. `key` is that of `Api`'s actions. */
export function actionPath(key: string, operations: Operations): [path: string, item: Record<string, unknown>] {
  const parts = key.split('/').filter(Boolean);
  const own = parts.indexOf('*');
  const name = parts
    .filter((part) => part !== '*')
    .join('_')
    .replaceAll('-', '_');
  // Objects of models have numbers; anything else goes by a name.
  const id: Parameter = {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: own === parts.length - 1 ? 'string' : 'integer' },
  };
  const item = Object.entries(operations).map(
    ([
      method,
      {
        summary,
        parameters,
        request,
        answer,
        as = 'application/json',
        also = [],
        bulk,
        status = answer ? 200 : 204,
        nothing,
        refuses = [],
      },
    ]) => {
      const several = answer?.['type'] === 'array' || Object.hasOwn(Object(answer?.['properties']), 'results');
      const content = answer && {
        content: Object.fromEntries([
          [as, { schema: answer }],
          ...also.map((type) => [type, { schema: { type: 'string' } }]),
        ]),
      };
      return [
        method.toLowerCase(),
        {
          operationId: `${name}${bulk ? '_bulk' : ''}_${VERBS[method as keyof typeof VERBS] ?? (several ? 'list' : 'retrieve')}`,
          tags: [parts[0]],
          summary,
          ...(parameters ? { parameters } : {}),
          ...(request ? { requestBody: { required: true, content: { 'application/json': { schema: request } } } } : {}),
          responses: {
            [status]: { description: answer ? 'The answer.' : 'Done.', ...content },
            ...(nothing ? { 204: { description: nothing } } : {}),
            ...refusals(...(own < 0 ? [] : ([404] as const)), ...(request ? BODY : []), ...refuses),
          },
        },
      ];
    },
  );
  return [
    `/api/${parts.map((part) => (part === '*' ? '{id}' : part)).join('/')}/`,
    { ...(own < 0 ? {} : { parameters: [id] }), ...Object.fromEntries(item) },
  ];
}
