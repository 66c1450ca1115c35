import { bodyOf } from '@cadastre/body';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Api } from '../http/http.ts';
import type { ApiResponse } from '../http/message/message.ts';
import type { Requester } from '../core/requester.ts';
import { openTown, peers, type Town } from './database.ts';
import { superuser } from './town.ts';

export let town: Town;
let api: Api;

/** What other services say when they are asked who refers to objects. */
export const nobody = async () => ({ count: 0, names: [] as string[] });
let dependents = nobody;

export const answerDependents = (answer: typeof nobody): void => {
  dependents = answer;
};

/** A new `Api`, which remembers nothing. */
export const openApi = (): void => {
  api = new Api(town.engine({ peers: { ...peers, prepareDeletion: () => dependents() } }));
};

export const REQUEST = '019a0000-0000-7000-8000-000000000001';

interface Asked {
  who?: Requester;
  headers?: Record<string, string>;
  id?: string;
  api?: Api;
}

export async function raw(
  method: string,
  address: string,
  body?: unknown,
  { who = superuser, headers = {}, id = REQUEST, api: to = api }: Asked = {},
): Promise<ApiResponse> {
  const [path, search = ''] = address.split('?') as [string, string?];
  const all = { 'content-type': 'application/json', ...headers };
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return to.answer({
    method,
    path: `/api/town/${path}`,
    search,
    headers: all,
    body: bytes && bodyOf(bytes, all),
    id,
    base: 'http://h',
    who,
    clientIp: '',
  });
}

type Answer = Record<string, never> & { results: Record<string, unknown>[]; count: number };

export async function ask(
  method: string,
  address: string,
  body?: unknown,
  asked?: Asked,
): Promise<[status: number, body: Answer]> {
  const answer = await raw(method, address, body, asked);
  return [answer.status, answer.body === '' ? '' : JSON.parse(answer.body)] as [number, Answer];
}

export const names = async (search: string, who = superuser) =>
  (await ask('GET', `houses/?fields=name&${search}`, undefined, { who }))[1].results.map((r) => r['name']).join();

/** How many statements a request needs. */
export async function statements(method: string, address: string, body?: unknown): Promise<number> {
  const before = town.statements();
  expect((await ask(method, address, body))[0]).toBeLessThan(300);
  return town.statements() - before;
}

beforeAll(async () => {
  town = await openTown();
  openApi();
  await town.sql(
    `insert into replica.people_person (id, _version, name, slug, group_id) values (1, 1, 'Ann', 'ann', 2), (2, 1, 'Bob', 'bob', 1)`,
  );
  await town.sql(
    `insert into replica.people_group (id, _version, name, slug, parent_id, _path, _sort) values (1, 1, 'Staff', 'staff', null, '{1}', '{Staff}'), (2, 1, 'Cooks', 'cooks', 1, '{1,2}', '{Staff,Cooks}')`,
  );
  await town.sql(
    `insert into replica.extras_tag (id, _version, name, slug) values (1, 1, 'Alpha', 'alpha'), (2, 1, 'Bravo', 'bravo')`,
  );
  await town.sql(`insert into replica.extras_customfield (id, _version, name, label, type, object_types, required, "unique", filter_logic, weight, group_name) values
    (1, 1, 'code', '', 'text', '{town.house}', false, false, 'loose', 1, ''), (2, 1, 'flag', '', 'boolean', '{town.house}', false, false, 'loose', 2, ''), (3, 1, 'floors', '', 'integer', '{town.house}', false, false, 'loose', 3, '')`);
  for (const body of [
    { name: 'North', slug: 'north' },
    { name: 'South', slug: 'south' },
    { name: 'Far', slug: 'far', parent: { slug: 'north' } },
  ])
    expect((await ask('POST', 'districts/', body))[0]).toBe(201);
  expect(
    (
      await ask('POST', 'houses/', [
        {
          name: 'h1',
          slug: 'h1',
          grade: 1,
          use: 'shop',
          floors: 2,
          height: 12.5,
          district: { slug: 'far' },
          keeper: 1,
          guests: [1, 2],
          ports: [80],
          days: ['mo'],
          kinds: ['town.house'],
          notes: { a: 1 },
          tags: [1, 2],
          listed: true,
          built: '2020-01-01',
          code: REQUEST,
          custom_fields: { code: 'CC1', flag: true, floors: 3 },
        },
        {
          name: 'h2',
          slug: 'h2',
          status: 'planned',
          floors: 5,
          district: 1,
          keeper: 2,
          tags: [1],
          comments: 'by 100%',
        },
        { name: 'H10', slug: 'h10' },
      ])
    )[0],
  ).toBe(201);
  expect(
    (
      await ask('POST', 'rooms/', [
        { name: 'r1', house: 1, number: 7 },
        { name: 'r2', house: { slug: 'h1' } },
        { name: 'r1', house: { name: 'h2' }, owner: 1 },
      ])
    )[0],
  ).toBe(201);
});

afterAll(async () => {
  await town?.close();
});
