import { dictionaryIn } from '@cadastre/body';
import type { Dict, Json } from '@cadastre/model';
import { type ActionHandler, type Executor, notPermitted, recordOf, rowsOf } from '@cadastre/rest';

const ALLOW = { Allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS' };
const PARTS = ['layout', 'config'] as const;

/** Clients define the content. */
const PARTS_SHOWN = { layout: {}, config: {} };
const SHOWN = recordOf(PARTS_SHOWN);
const GIVEN = recordOf(PARTS_SHOWN, []);

/** /api/extras/dashboard/: how the requester's start page is laid out. Empty until it is written. */
export const dashboard = (db: Executor): ActionHandler => ({
  methods: ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  operations: {
    GET: { summary: 'Get your dashboard', answer: SHOWN },
    PUT: { summary: 'Lay out your dashboard', request: GIVEN, answer: SHOWN },
    PATCH: { summary: 'Change your dashboard', request: GIVEN, answer: SHOWN },
    DELETE: { summary: 'Clear your dashboard' },
  },
  async handle(request) {
    const { userId } = request.who;
    if (userId === null) throw notPermitted(request.who);
    if (request.method === 'DELETE') {
      await rowsOf(db, { text: 'delete from dashboard where user_id = $1', values: [userId] });
      return { status: 204, headers: ALLOW, body: '' };
    }
    if (request.method === 'PUT' || request.method === 'PATCH')
      await write(db, userId, await dictionaryIn(request.body));
    const [row] = await rowsOf(db, {
      text: 'select layout, config from dashboard where user_id = $1',
      values: [userId],
    });
    return { status: 200, headers: ALLOW, body: `{"layout":${row?.[0] ?? 'null'},"config":${row?.[1] ?? 'null'}}` };
  },
});

/** Parts that are not given stay as they are. */
async function write(db: Executor, userId: number, value: Dict): Promise<void> {
  const [layout, config] = PARTS.map((part): Json => value[part] ?? null).map((part) =>
    part === null ? null : JSON.stringify(part),
  );
  await rowsOf(db, {
    text: `insert into dashboard as d (user_id, layout, config) values ($1, coalesce($2::jsonb, '[]'), coalesce($3::jsonb, '{}'))
      on conflict (user_id) do update set layout = coalesce($2::jsonb, d.layout), config = coalesce($3::jsonb, d.config)`,
    values: [userId, layout, config],
  });
}
