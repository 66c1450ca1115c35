import { dictionaryIn } from '@cadastre/body';
import { type Dict, isDict } from '@cadastre/model';
import type { PoolClient } from 'pg';
import { type ActionHandler, type Engine, freeForm, invalid, notPermitted, rowsOf } from '@cadastre/rest';
import { configVersion } from '../credentials/configVersion.ts';
import { tellGateways } from './sessions.ts';

const ALLOW = { Allow: 'GET, PATCH, HEAD, OPTIONS' };
/** The longest text of a configuration, in characters: it holds preferences, not data. */
const LONGEST = 1_000_000;

/** Why a configuration cannot be kept: it is too long. */
export const tooLong = (text: string): string | undefined =>
  text.length > LONGEST ? `The configuration may have at most ${LONGEST} characters.` : undefined;

/** Merges the given values into the stored ones: dictionaries member by member, everything else as a whole. */
export function merged(there: Dict, given: Dict): Dict {
  const result: Dict = Object.assign(Object.create(null), there);
  for (const [name, value] of Object.entries(given)) {
    const known = result[name];
    result[name] = isDict(known) && isDict(value) ? merged(known, value) : value;
  }
  return result;
}

/** /api/users/config/: the preferences of the requester. */
export const userConfig = (engine: Engine): ActionHandler => ({
  methods: ['GET', 'PATCH', 'HEAD', 'OPTIONS'],
  operations: {
    GET: { summary: 'Get your preferences', answer: freeForm },
    PATCH: { summary: 'Change your preferences; dictionaries are merged', request: freeForm, answer: freeForm },
  },
  async handle(request) {
    const { userId } = request.who;
    if (userId === null) throw notPermitted(request.who);
    if (request.method !== 'PATCH') {
      const [row] = await rowsOf(engine.pool, {
        text: `select data, ${configVersion} from user_config where user_id = $1`,
        values: [userId],
      });
      return { status: 200, headers: { ...ALLOW, ETag: `"${row?.[1] ?? ''}"` }, body: row?.[0] ?? '{}' };
    }
    const given = await dictionaryIn(request.body);
    return { status: 200, headers: ALLOW, body: await engine.transact((client) => change(client, userId, given)) };
  },
});

/**
 * Two requests that change different settings at the same time both succeed: the second waits and sees what the first
 * has written.
 */
async function change(db: PoolClient, userId: number, given: Dict): Promise<string> {
  const [row] = await rowsOf(db, {
    text: `insert into user_config as c (user_id, data) values ($1, '{}') on conflict (user_id) do update set data = c.data returning data`,
    values: [userId],
  });
  const text = JSON.stringify(merged(JSON.parse(row![0]!) as Dict, given));
  const problem = tooLong(text);
  if (problem) throw invalid({ non_field_errors: [problem] });
  await tellGateways(db, userId);
  await rowsOf(db, { text: 'update user_config set data = $2::jsonb where user_id = $1', values: [userId, text] });
  return text;
}
