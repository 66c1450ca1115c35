import { dictionaryIn } from '@cadastre/body';
import type { Dict, Json, Schema, Values } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  contextOf,
  create,
  detail,
  type Engine,
  invalid,
  notFound,
  notPermitted,
  parseQuery,
  record,
  recordOf,
  rowsOf,
  type WriteContext,
  whole,
} from '@cadastre/rest';
import { rowColumns, updateRows } from '@cadastre/rest/write/store/store';
import { indexOf, valuesOf } from '@cadastre/rest/db/values';
import { lockPermitted } from '@cadastre/rest/write/store/permitted';
import type { Config } from '@cadastre/service/config';
import type { PoolClient } from 'pg';
import { momentOf, token } from '../models/token.ts';
import type { SecurityRecord } from '../security/record.ts';

const READ = { Allow: 'GET, HEAD, OPTIONS' };
const POST = { Allow: 'POST, OPTIONS' };

const TIME: Schema = { type: 'string', format: 'date-time', nullable: true };
const DAY_MS = 86_400_000;

type UseSettings = Pick<Config, 'tokenIdleDays'>;
type RotationSettings = Pick<Config, 'tokenRotationSeconds' | 'tokenRotationMaxSeconds' | 'tokenMaxDays'>;

const useAnswer = recordOf({
  last_used: TIME,
  last_address: { type: 'string', description: 'From where it was used then; empty where that is not known.' },
  expires: TIME,
  idle_until: { ...TIME, description: 'When it ends unless it is used before.' },
  rotated: { ...TIME, description: 'When another token took its place.' },
  warned_days: {
    type: 'integer',
    nullable: true,
    description: 'How many days before it expires its user was warned last.',
  },
});

/** A token as the requester sees it, if the requester may do this action with it. @throws Refusal 403, 404 */
async function tokenFor(
  engine: Engine,
  { who, base }: ApiRequest,
  id: string | null,
  action: 'view' | 'change',
): Promise<Dict> {
  if (!id || !/^\d{1,15}$/.test(id)) throw notFound(token.className);
  return JSON.parse((await detail(engine, token, id, parseQuery('', engine.settings), who, base, action)).text) as Dict;
}

const isoOf = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * GET …/tokens/<id>/use/: data about a token that is not among its fields, which are those of the reference system.
 */
export const tokenUse = (engine: Engine, { tokenIdleDays: idle }: UseSettings): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: {
    GET: { summary: 'Get when and from where a token was last used, and when it ends', answer: useAnswer },
  },
  async handle(request, id) {
    if (request.method === 'OPTIONS') return { status: 200, headers: READ, body: '{}' };
    const { id: number, last_used, created, expires } = await tokenFor(engine, request, id, 'view');
    const [row] = await rowsOf(engine.pool, {
      text: `select address, ${isoOf('rotated')}, case when warned_expires = $2::timestamptz then warned_days end from token_use where token_id = $1`,
      values: [number, expires],
    });
    const [address, rotated, days] = row ?? [];
    const body = {
      last_used: last_used ?? null,
      last_address: address ?? '',
      expires: expires ?? null,
      idle_until: idle ? new Date(Date.parse(String(last_used ?? created)) + idle * DAY_MS).toISOString() : null,
      rotated: rotated ?? null,
      warned_days: days === null || days === undefined ? null : Number(days),
    };
    return { status: 200, headers: READ, body: JSON.stringify(body) };
  },
});

/** For how long the old token stays valid, and when the new one expires, if the request says so. @throws Refusal 400 */
function rotationAsked(
  given: Dict,
  { tokenRotationSeconds: usual, tokenRotationMaxSeconds: most }: RotationSettings,
): { seconds: number; expires: Json | undefined } {
  const { valid_seconds: seconds = usual, expires, ...more } = given;
  const problems: Record<string, string[]> = Object.fromEntries(
    Object.keys(more).map((name) => [name, ['Unknown field.']]),
  );
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds))
    problems['valid_seconds'] = ['A valid integer is required.'];
  else if (seconds < 0 || seconds > most) problems['valid_seconds'] = [`Ensure this value is between 0 and ${most}.`];
  if (Object.keys(problems).length) throw invalid(problems);
  return { seconds: seconds as number, expires };
}

/** When the new token of a rotation expires: by the policy, otherwise after the lifetime that the old one had. */
function endOf(old: Values, maxDays: number): string | undefined {
  const [from, to] = [momentOf(old['created']), momentOf(old['expires'])];
  if (maxDays || from === null || to === null || to <= from) return undefined;
  return new Date(Date.now() + to - from).toISOString();
}

/** Has a token expire after these seconds, unless it expires earlier anyway. @throws Refusal 400, 403, 404 */
async function letEnd(
  engine: Engine,
  id: number,
  seconds: number,
  { who, cause }: WriteContext,
  client: PoolClient,
): Promise<Values> {
  const locked = () => lockPermitted(engine, token, [id], 'change', who, client);
  const [cells] = await locked();
  if (!cells) throw notFound(token.className);
  const old = valuesOf(token, indexOf(rowColumns(token)), cells);
  const now = Date.now();
  const ends = momentOf(old['expires']);
  if (!old['enabled'] || (ends !== null && ends <= now))
    throw invalid({ non_field_errors: ['This token does not count any more. Make a new one instead.'] });
  const last = now + seconds * 1000;
  if (ends === null || last < ends) {
    const [after] = await updateRows(engine.tables, token, [{ ...old, expires: new Date(last).toISOString() }], client);
    // The changed token must still be within the requester's rights.
    if (!(await locked()).length) throw notPermitted(who);
    const message = `Rotated: another token takes its place, and it goes on for ${seconds} seconds.`;
    await record(
      await engine.readContext(client),
      [{ action: 'updated', model: token, before: cells, after: after!, message }],
      cause,
      client,
    );
  }
  await rowsOf(client, {
    text: 'insert into token_use (token_id, rotated) values ($1, now()) on conflict (token_id) do update set rotated = excluded.rotated',
    values: [id],
  });
  return old;
}

/**
 * POST …/tokens/<id>/rotate/: creates a token of the same user with the same rights, and has the old one expire. It
 * requires the permissions for creating the one and changing the other, and is done as a whole or not at all.
 */
export const rotation = (
  engine: Engine,
  security: Pick<SecurityRecord, 'write'>,
  settings: RotationSettings,
): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Make a token that takes the place of another, which goes on for a while',
      status: 201,
      answer: whole(token),
      request: {
        type: 'object',
        properties: {
          valid_seconds: {
            type: 'integer',
            minimum: 0,
            description: 'For how long the old token goes on; TOKEN_ROTATION_SECONDS unless it is given.',
          },
          expires: {
            ...TIME,
            description:
              'When the new token ends; by the policy, or after as long as the old one was to live, unless it is given.',
          },
        },
      },
    },
  },
  async handle(request, id) {
    if (request.method === 'OPTIONS') return { status: 200, headers: POST, body: '{}' };
    const { id: number, user, display } = await tokenFor(engine, request, id, 'change');
    const { seconds, expires } = rotationAsked(await dictionaryIn(request.body), settings);
    const context = contextOf(request);
    const about = { user: (user as Dict)['id']!, changelog_message: `Takes the place of ${String(display)}.` };
    const bodies = {
      given: [about],
      async make(client: PoolClient): Promise<Json[]> {
        const old = await letEnd(engine, number as number, seconds, context, client);
        await security.write(client, [
          {
            kind: 'token_changed',
            ok: true,
            user: { id: context.who.userId, name: context.who.username },
            address: request.clientIp,
            detail: `token ${String(display)} rotated`,
            about: { type: token.name, id: number as number },
            requestId: request.id,
          },
        ]);
        const { version, description, write_enabled, allowed_ips } = old;
        const end = expires === undefined ? endOf(old, settings.tokenMaxDays) : expires;
        return [
          {
            ...about,
            version: version!,
            description: description!,
            write_enabled: write_enabled!,
            allowed_ips: allowed_ips ?? [],
            ...(end === undefined ? {} : { expires: end }),
          },
        ];
      },
    };
    const { texts } = await create(engine, token, bodies, true, context);
    return { status: 201, headers: POST, body: texts[0]! };
  },
});
