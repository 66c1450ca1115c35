import { isDeepStrictEqual } from 'node:util';
import { type Dict, isDict, type Json } from '@cadastre/model';
import { type ActionHandler, type Engine, rowsOf } from '@cadastre/rest';
import { requireListIn, requireImportAllowed } from '@cadastre/rest/import/api/api';
import type { PoolClient } from 'pg';
import { merged, tooLong } from './config.ts';
import { tellGateways } from './sessions.ts';

/** What was done with the preferences of a user, in the terms of the import API. */
interface Brought {
  id: number | null;
  outcome: 'created' | 'updated' | 'unchanged' | 'refused';
  notes: Record<string, never>;
  errors: Record<string, string[]>;
}

/** Preferences to merge into those of a user. */
interface Coming {
  id: number;
  data: Dict;
}

/**
 * POST /api/users/config/import/: imports users' preferences from another system, by the users' ids, for superusers
 * while `IMPORT_API` is on; like the import API it is not part of the API document. Where a user has set a preference
 * in both systems, the imported value replaces the one here.
 */
export const configImport = (engine: Engine): ActionHandler => ({
  methods: ['POST'],
  async handle(request) {
    requireImportAllowed(engine, request);
    const body = await request.body?.json();
    const objects = requireListIn(engine, body, 'objects');
    const isDry = isDict(body) && body['dry_run'] === true;
    const results = await engine.transact((client) => bring(client, objects, isDry));
    return { status: 200, headers: { Allow: 'POST' }, body: JSON.stringify({ results }) };
  },
});

async function bring(client: PoolClient, objects: readonly Json[], isDry: boolean): Promise<Brought[]> {
  const coming = objects.map(comingIn);
  const there = await kept(
    client,
    coming.flatMap((one) => ('data' in one ? [one.id] : [])),
  );
  const changed = new Map<number, string>();
  const results = coming.map((one): Brought => {
    if (!('data' in one)) return one;
    const before = there.get(one.id);
    // In a dry run, users who are still to be imported do not exist yet.
    if (before === undefined && !isDry) return refused(one.id, { id: [`There is no user ${one.id}.`] });
    const after = merged(before ?? {}, one.data);
    const text = JSON.stringify(after);
    const problem = tooLong(text);
    if (problem) return refused(one.id, { data: [problem] });
    if (before && isDeepStrictEqual(plain(after), before)) return outcome(one.id, 'unchanged');
    changed.set(one.id, text);
    return outcome(one.id, before ? 'updated' : 'created');
  });
  if (!isDry && changed.size) await keep(client, changed);
  return results;
}

const outcome = (id: number, what: Brought['outcome']): Brought => ({ id, outcome: what, notes: {}, errors: {} });
const refused = (id: number | null, errors: Brought['errors']): Brought => ({
  id,
  outcome: 'refused',
  notes: {},
  errors,
});

function comingIn(object: Json): Coming | Brought {
  const { id, data } = isDict(object) ? object : {};
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    return refused(null, { id: ['A valid integer is required.'] });
  if (!isDict(data)) return refused(id, { data: ['Invalid data. Expected a dictionary.'] });
  return { id, data };
}

/** Objects that `merged` makes have no prototype, parsed ones have: without this they would never compare as equal. */
const plain = (data: Dict): Dict => JSON.parse(JSON.stringify(data)) as Dict;

/** The preferences of those of the users who exist, locked until the transaction ends. */
async function kept(client: PoolClient, ids: readonly number[]): Promise<Map<number, Dict | null>> {
  const rows = await rowsOf(client, {
    text: `select u.id, c.data from users_user u left join user_config c on c.user_id = u.id
      where u.id = any($1::bigint[]) order by u.id for update of u`,
    values: [ids],
  });
  return new Map(rows.map(([id, data]) => [Number(id), data == null ? null : (JSON.parse(data) as Dict)]));
}

async function keep(client: PoolClient, texts: ReadonlyMap<number, string>): Promise<void> {
  await rowsOf(client, {
    text: `insert into user_config (user_id, data) select * from unnest($1::bigint[], $2::jsonb[])
      on conflict (user_id) do update set data = excluded.data`,
    values: [[...texts.keys()], [...texts.values()]],
  });
  await tellGateways(client, ...texts.keys());
}
