// The pages of every model, from its declaration alone: this file tests each model of the catalogue.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiPath, type Catalogue, type Json, loadCatalogue, type Model, webPath } from '@cadastre/model';
import { PASSWORD, startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { loadParts } from '../../services/web/router/parts.ts';
import { type Body, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { Maker } from '../support/objects/maker.ts';
import { PageForm } from '../support/pages/pageForm.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const services = resolve(import.meta.dirname, '..', '..', 'services');
const catalogue: Catalogue = await loadCatalogue(services);
const { panels } = await loadParts(services);
const withPages = [...catalogue.models.values()].filter((model) => webPath(model) !== undefined && !model.fromEvents);
/**
 * Models that can be created from a declaration alone; files are tested elsewhere (tests/web/objects/objects.test.ts).
 */
const written = withPages.filter(
  ({ readOnly, fields }) => !readOnly && !Object.values(fields).some(({ upload, required }) => upload && required),
);

let system: System;
let admin: Client;
let session: Session;
let maker: Maker;
beforeAll(async () => {
  // A system of its own: the rules and required custom fields that are created here would disturb other tests.
  system = await startSystem();
  admin = new Client(system.base, `Token ${system.token}`);
  session = await logIn(system.base, 'admin', PASSWORD);
  maker = new Maker(catalogue, admin);
});
afterAll(() => system?.stop());

const page = async (path: string): Promise<string> => {
  const { status, html, location } = await session.get(path);
  expect([path, status, location]).toEqual([path, 200, null]);
  return html;
};

/** Whether the gateway still has pages of its own there. */
const isElsewhere = async (path: string): Promise<boolean> => {
  const { status, html } = await session.get(path);
  return status === 303 || (status === 200 && !html.includes('/static/web/'));
};

/** Sends a form as a browser does; returns where it leads. */
async function send(form: PageForm, path: string): Promise<string> {
  const fields = form.sent();
  const body = form.multipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) body.append(name, value);
  const response = await fetch(system.base + (form.action || path), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: session.cookie },
    body,
  });
  const text = await response.text();
  if (response.status !== 303)
    throw new Error(`${path}: ${response.status} ${problemsIn(text)}\n${new URLSearchParams(fields)}`);
  return response.headers.get('location')!.replace(system.base, '');
}

/** An object without the members in which two with the same body may differ: identifiers, references to it, times. */
const alike = (model: Model, object: Body, body: Record<string, Json>): Body =>
  Object.fromEntries(
    Object.entries(object as Record<string, Json>).filter(([name]) => {
      const field = model.fields[name];
      return field && !field.reverse && !(field.kind === 'datetime' && !(name in body)) && !field.batched;
    }),
  );
/** The reason why a form was refused. */
const problemsIn = (html: string): string =>
  [...html.matchAll(/<[^>]*(?:class="problem"|role="alert")[^>]*>[\s\S]{0,300}/g)].map(([text]) => text).join('\n');

test('every model that has a page is looked at', () => {
  expect(withPages.length).toBeGreaterThan(80);
});

describe.each(withPages.map((model) => [model.name, model] as const))('%s', (_, model) => {
  const home = webPath(model)!;
  const api = apiPath(model);

  test('has a list, also an empty one and one that finds nothing', async () => {
    if (await isElsewhere(home)) return;
    expect(await page(home)).toContain('<h1');
    await page(`${home}?limit=1&offset=100000`);
  });

  if (written.includes(model))
    test('is shown, filled in, saved as it was, and deleted; made by a form it is what the API makes', async () => {
      if (await isElsewhere(home)) return;
      const { body, made } = await maker.make(model);
      const object = `${home}${made.id}/`;
      const shown = await admin.read(`${api}${made.id}/`);
      const list = await page(`${home}?limit=1000`);
      expect(list).toContain(`href="${object}"`);
      expect(await page(object)).toContain('<h1');
      if (model.features.has('changeLogging'))
        await eventually(async () => expect(await page(`${object}changelog/`)).toContain('data-value="create"'));
      if (model.features.has('journaling')) await page(`${object}journal/`);

      // Also tabs that this object does not have: they redirect, or do not exist.
      for (const { name } of panels.filter(({ on, as }) => on === model.name && as === 'tab'))
        expect([200, 303, 404]).toContain((await session.get(`${object}${name}/`)).status);

      // Submitting an unchanged form changes nothing.
      const edit = new PageForm(await page(`${object}edit/`));
      await send(edit, `${object}edit/`);
      expect(alike(model, await admin.read(`${api}${made.id}/`), body)).toEqual(alike(model, shown, body));

      const removal = new PageForm(await page(`${object}delete/`));
      expect(await send(removal, `${object}delete/`)).toMatch(new RegExp(`^${home}`));
      expect((await admin.get(`${api}${made.id}/`)).status).toBe(404);
      expect((await session.get(object)).status).toBe(404);

      const add = new PageForm(await page(`${home}add/`));
      // Members that are not simple fields have forms of their own.
      const other = Object.keys(body).filter((name) => !add.names.has(name));
      expect(other.filter((name) => model.fields[name]?.parse)).toEqual([]);
      for (const [name, value] of Object.entries(body)) if (!other.includes(name)) add.fill(name, value as Json);
      if (other.length) return;
      // Fields that the form does not set get the API's defaults.
      const to = await send(add, `${home}add/`);
      expect(to).toMatch(new RegExp(`^${home}\\d+/`));
      const id = Number(/\/(\d+)\//.exec(to)![1]);
      expect(alike(model, await admin.read(`${api}${id}/`), body)).toEqual(alike(model, shown, body));
      await admin.delete(`${api}${id}/`);
    });
  else if (model.readOnly)
    test('is only read', async () => {
      for (const path of ['add/', '1/edit/', '1/delete/']) expect((await session.get(home + path)).status).toBe(404);
      const [one] = (await admin.read(`${api}?limit=1`)).results as Body[];
      if (one) expect([200, 303]).toContain((await session.get(`${home}${one.id}/`)).status);
    });
});
