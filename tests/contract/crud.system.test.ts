// What clients do first with objects of every model: create, read, list, change, change many, delete. What is sent and
// what is expected follow from the declarations, so a new model is tested here without a line about it.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiPath, type Field, type Json, loadCatalogue, members, type Model } from '@cadastre/model';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../support/client.ts';
import { describedBy } from '../support/document.ts';
import { Maker } from '../support/objects/maker.ts';

const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
const models = [...catalogue.models.values()].filter(({ part }) => part !== 'hidden');
const isWritten = ({ readOnly, part }: Model): boolean => !readOnly && !part;
const named = (some: readonly Model[]) => some.map((model) => [model.name, model] as const);

let system: System;
let admin: Client;
let maker: Maker;
beforeAll(async () => {
  // A system of its own: event rules, permissions and custom fields of other tests are not meant for these objects, nor
  // these objects for them.
  system = await startSystem();
  const document = await new Client(system.base, `Token ${system.token}`).get('/api/schema/?format=json');
  const described = describedBy(document.text);
  admin = new Client(system.base, `Token ${system.token}`, (...answer) => described.difference(...answer));
  maker = new Maker(catalogue, admin);
});
afterAll(() => system?.stop());

const requiredOf = ({ fields }: Model): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.required && !fields[name]!.readOnly && !fields[name]!.hidden);

/** How an answer shows a value that was sent, if that follows from the field alone. */
function shown({ relation, choices, kind, secret, special, owned }: Field, sent: Json, made: Json): Json {
  if (relation?.many || secret || special || owned || kind === 'network' || kind === 'ipAddress') return made;
  if (relation) return relation.form === 'id' ? sent : (expect.objectContaining({ id: sent }) as unknown as Json);
  const labelled = choices && typeof made === 'object' && !Array.isArray(made);
  return labelled ? (expect.objectContaining({ value: sent }) as unknown as Json) : sent;
}

/** What a create that leaves a field out stores, if that follows from the field alone. */
const defaultOf = ({ default: usual, column, hidden, readOnly, choices, upload }: Field): Json | undefined =>
  column && ![hidden, readOnly, choices, upload].some(Boolean) && typeof usual !== 'function' ? usual : undefined;

/** Whether a list can be filtered by a text field, with all lookups of texts. */
const isFilter = ({ fields, without }: Model, name: string): boolean =>
  fields[name]?.lookups === 'string' && !fields[name].secret && !fields[name].hidden && !without.includes(name);

/** Fields that a test may change without regard to anything else, the least significant first. */
function changeable(model: Model): string {
  const free = Object.entries(model.fields).filter(
    ([name, { kind, readOnly, hidden, secret, writeOnly, parse, choices, lookups }]) =>
      ['text', 'slug', 'boolean', 'integer'].includes(kind) &&
      ![readOnly, hidden, secret, writeOnly, choices].some(Boolean) &&
      parse &&
      lookups !== undefined &&
      !name.startsWith('_'),
  );
  const order = ['description', 'comments', 'label', 'name'];
  const place = ([name]: [string, Field]) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  const [first] = free.sort((a, b) => place(a) - place(b));
  if (!first) throw new Error(`${model.name} has no field that could be changed`);
  return first[0];
}

test.each(named(models.filter(isWritten)))('%s', async (_, model) => {
  const path = apiPath(model);
  const { body, made } = await maker.make(model, { full: false });
  const at = `${path}${made.id}/`;

  // A create without a required field is refused, naming the field; without several, naming all of them.
  const required = requiredOf(model);
  if (required.length) {
    const { status, body: errors } = await admin.post(path, {});
    expect([status, errors]).toEqual([
      400,
      expect.objectContaining(Object.fromEntries(required.map((name) => [name, ['This field is required.']]))),
    ]);
  }
  for (const name of required) {
    const { [name]: _left, ...rest } = body;
    const { status, body: errors } = await admin.post(path, rest);
    expect([name, status, errors[name]]).toEqual([name, 400, ['This field is required.']]);
  }

  // The members of the declaration, in its order, with what was sent.
  const all = members(model, 'complete');
  expect(Object.keys(made)).toEqual(all);
  for (const [name, sent] of Object.entries(body)) {
    const field = model.fields[name];
    if (field && all.includes(name)) expect([name, made[name]]).toEqual([name, shown(field, sent, made[name])]);
  }
  for (const [name, field] of Object.entries(model.fields))
    if (!(name in body) && ['boolean', 'string', 'number'].includes(typeof defaultOf(field)))
      expect([name, made[name]]).toEqual([name, defaultOf(field)]);
  const read = await admin.read(at);
  expect(Object.keys(read)).toEqual(all);
  const kept = (name: string) => (model.fields[name]?.onlyWhenCreated ? null : made[name]);
  expect(read).toEqual(Object.fromEntries(all.map((name) => [name, kept(name)])));

  // Found by its id and by its name, and not by another name.
  const found = (query: string) => admin.column(`${path}?id=${made.id}&${query}`, 'id');
  expect(await found('limit=2')).toEqual([made.id]);
  expect(await found(`id__n=${made.id}`)).toEqual([]);
  for (const [name, sent] of Object.entries(body)) {
    if (typeof sent !== 'string' || !isFilter(model, name)) continue;
    expect([name, await found(`${name}=${encodeURIComponent(sent)}`)]).toEqual([name, [made.id]]);
    expect([name, await found(`${name}__n=${encodeURIComponent(sent)}`)]).toEqual([name, []]);
  }

  // One field changes, and the others stay.
  const name = changeable(model);
  const change = async () => ({ [name]: (await maker.value(model, name))! });
  const first = await change();
  const { status, body: changed } = await admin.patch(at, first);
  // The time of the change, the display name, and the brief forms of its parts may change with it.
  const follows = ['last_updated', 'display', ...all.filter((one) => model.fields[one]?.owned)];
  const rest = (object: Body) => Object.fromEntries(Object.entries(object).filter(([one]) => !follows.includes(one)));
  expect([status, rest(changed)]).toEqual([200, { ...rest(read), ...first }]);
  expect(await admin.read(at)).toEqual(changed);

  // Several change at once, in their order.
  const other: Body = (await maker.make(model, { full: false })).made;
  const changes = [
    { id: other.id, ...(await change()) },
    { id: made.id, ...(await change()) },
  ];
  const bulk = await admin.patch(path, changes);
  expect([bulk.status, bulk.body]).toEqual([200, changes.map((one) => expect.objectContaining(one))]);
  expect(bulk.body).toEqual([await admin.read(`${path}${other.id}/`), await admin.read(at)]);

  // Deleted alone, and in a bulk request.
  expect((await admin.delete(at)).status).toBe(204);
  expect([(await admin.get(at)).status, (await admin.get(`${path}${other.id}/`)).status]).toEqual([404, 200]);
  expect((await admin.delete(path, [{ id: other.id }])).status).toBe(204);
  expect(await admin.column(`${path}?id=${made.id}&id=${other.id}`, 'id')).toEqual([]);
});

test.each(named(models.filter((model) => !isWritten(model))))('%s is only read', async (_, model) => {
  const path = apiPath(model);
  const { results } = await admin.read(`${path}?limit=2`);
  for (const one of results) expect((await admin.read(`${path}${one.id}/`)).id).toBe(one.id);
  const refused = await Promise.all([admin.post(path, {}), admin.patch(path, []), admin.delete(path, [])]);
  expect(refused.map(({ status }) => status)).toEqual([405, 405, 405]);
});
