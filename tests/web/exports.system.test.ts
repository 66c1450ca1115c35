// What every list exports can be imported through its import page: unchanged, and after the object was deleted.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiPath, type Catalogue, isDict, type Json, loadCatalogue, type Model, webPath } from '@cadastre/model';
import { PASSWORD, startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../support/client.ts';
import { Maker } from '../support/objects/maker.ts';
import { logIn, type Session, type Visited } from '../support/pages/visitor.ts';

const services = resolve(import.meta.dirname, '..', '..', 'services');
const catalogue: Catalogue = await loadCatalogue(services);
const models = [...catalogue.models.values()].filter(
  ({ readOnly, fields, fromEvents, ...model }) =>
    webPath({ ...model } as Model) !== undefined &&
    !readOnly &&
    !fromEvents &&
    !Object.values(fields).some(({ upload, required }) => upload && required),
);

/** Models whose objects cannot be created from an export, as it contains no secrets. */
const isSecret = ({ fields }: Model): boolean =>
  Object.values(fields).some(({ writeOnly, required }) => writeOnly && required);

let system: System;
let admin: Client;
let session: Session;
let maker: Maker;
beforeAll(async () => {
  system = await startSystem();
  admin = new Client(system.base, `Token ${system.token}`);
  session = await logIn(system.base, 'admin', PASSWORD);
  maker = new Maker(catalogue, admin);
});
afterAll(() => system?.stop());

async function imported(model: Model, text: string): Promise<Visited> {
  const path = `${webPath(model)}import/`;
  return session.post(path, { csrf_token: await session.csrfToken(path), text });
}
const problemsIn = ({ html }: Visited): string =>
  [...html.matchAll(/<tr><td[\s\S]*?<\/tr>/g)].map(([row]) => row.replaceAll(/<[^>]+>/g, ' ')).join('\n');

/** The members of the body as the object shows them; references by their targets. */
const told = (model: Model, object: Body, body: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(
    Object.keys(body).flatMap((name) => {
      const field = model.fields[name];
      return !field || field.writeOnly || field.secret || model.imports?.later?.includes(name)
        ? []
        : [[name, alike(body[name]!, object[name])]];
    }),
  );

/**
 * In rows inside an object, only the members that were sent are compared: they also show other objects, and the parent.
 */
const alike = (said: Json, shown: Json): Json =>
  Array.isArray(said) && Array.isArray(shown) && said.every(isDict)
    ? shown.map((row) =>
        isDict(row) ? Object.fromEntries(Object.keys(said[0] ?? row).map((name) => [name, row[name]!])) : row,
      )
    : shown;

test('every model that can be imported is looked at', () => expect(models.length).toBeGreaterThan(80));

describe.each(models.map((model) => [model.name, model] as const))('%s', (_, model) => {
  test.each(['csv', 'json', 'yaml'])('its export as %s changes nothing, and makes what was deleted', async (format) => {
    const { body, made } = await maker.make(model);
    const api = `${apiPath(model)}${made.id}/`;
    const before = await admin.read(api);
    const { html: text } = await session.get(`${webPath(model)}?id=${made.id}&export=${format}`);
    const again = await imported(model, text);
    expect([again.status, problemsIn(again)]).toEqual([200, '']);
    expect(told(model, await admin.read(api), body)).toEqual(told(model, before, body));

    await admin.delete(api);
    const anew = await imported(model, text);
    if (isSecret(model)) return expect(anew.status).toBe(400);
    expect([anew.status, problemsIn(anew)]).toEqual([200, '']);
    const id = Number(new RegExp(`href="${webPath(model)}(\\d+)/"`).exec(anew.html)?.[1]);
    const after = await admin.read(`${apiPath(model)}${id}/`);
    expect(told(model, after, body)).toEqual(told(model, before, body));
    // Names that several attempts have used are free again.
    await admin.delete(`${apiPath(model)}${id}/`);
  });
});
