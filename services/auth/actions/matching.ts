import { dictionaryIn } from '@cadastre/body';
import { isDict, type Json } from '@cadastre/model';
import { type ActionHandler, arrayOf, invalid, MOST_COUNTED, notPermitted, recordOf, refuse } from '@cadastre/rest';
import type { ModelService } from '@cadastre/service/models';
import type { Constraints } from '../models/objectPermission.ts';
import { alternatives } from '../models/rights/rights.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const areConstraints = (value: unknown): boolean =>
  value === null || isDict(value as Json) || (Array.isArray(value) && value.every((one) => isDict(one as Json)));

/**
 * POST /api/users/permissions/matching/: how many objects a permission would apply to. Constraints may test fields of
 * objects that the requester may not view, so this is for superusers, who may view all.
 */
export const matching = ({
  catalogue,
  engine,
  matching: count,
}: Pick<ModelService, 'catalogue' | 'engine' | 'matching'>): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Count the objects that constraints of a permission match (superusers)',
      request: {
        type: 'object',
        required: ['object_types'],
        properties: {
          object_types: { type: 'array', items: { type: 'string' } },
          constraints: {},
          user: { type: 'integer', description: 'Whom `$user` stands for; without this, whoever asks.' },
          object_id: { type: 'integer', description: 'Count this object only.' },
        },
      },
      answer: recordOf({
        results: arrayOf(recordOf({ object_type: { type: 'string' }, count: { type: 'integer' } })),
        most: { type: 'integer', description: 'No more than so many are counted of a type.' },
      }),
    },
  },
  async handle(request) {
    if (request.method === 'OPTIONS') return { status: 200, headers: ALLOW, body: '{}' };
    const { who } = request;
    if (who.userId === null) throw notPermitted(who);
    if (!who.grants.superuser) throw refuse(403, 'Only superusers may count what constraints match.');
    const given = await dictionaryIn(request.body);
    const { object_types: types, constraints = null, user = who.userId, object_id: id } = given;
    const unknown = isList(types) ? types.filter((type) => !catalogue.has(type)) : [];
    const problems = {
      ...(!isList(types) ? { object_types: ['Expected a list of object types.'] } : {}),
      ...(unknown.length ? { object_types: [`There is no object type ${unknown[0]}.`] } : {}),
      ...(!areConstraints(constraints) ? { constraints: ['Expected an object, or a list of objects.'] } : {}),
      ...(!isNumber(user) ? { user: ['A valid integer is required.'] } : {}),
      ...(id !== undefined && !isNumber(id) ? { object_id: ['A valid integer is required.'] } : {}),
    };
    if (Object.keys(problems).length) throw invalid(problems);
    const wanted = [...new Set(types as unknown as string[])];
    const wrong =
      constraints === null ? [] : (engine.facilities['constraints'] as Constraints).problems(wanted, constraints);
    if (wrong.length) throw invalid({ constraints: wrong });
    const counts = await count({
      types: wanted,
      constraints: alternatives(constraints),
      userId: user as number,
      id: id as number | undefined,
    });
    const results = wanted.map((type, i) => ({ object_type: type, count: counts[i] }));
    return { status: 200, headers: ALLOW, body: JSON.stringify({ results, most: MOST_COUNTED }) };
  },
});
