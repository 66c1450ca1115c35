// The answer to a write is what a read shows afterwards: for every type, and for every count inside other objects, even
// where much of it is cached.
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { apiPath, loadCatalogue, type Model } from '@cadastre/model';
import { expectAlike } from '../support/objects/alike.ts';
import type { Body } from '../support/client.ts';
import { Maker } from '../support/objects/maker.ts';
import { useSystem } from '../support/system.ts';

const used = useSystem();
const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
/** Only apps that document the network: objects of the others change what the system does, for everybody. */
const APPS = new Set(['circuits', 'dcim', 'ipam', 'tenancy', 'virtualization']);
const written = [...catalogue.models.values()].filter(
  ({ app, readOnly, fromEvents }) => APPS.has(app) && !readOnly && !fromEvents,
);

let known: Maker | undefined;
/** Shared by all types, so that the referenced objects fit together, and are reused. */
const maker = () => (known ??= new Maker(catalogue, used.admin));
const read = (model: Model, { id }: Body): Promise<Body> => used.admin.read(`${apiPath(model)}${id}/`);

async function shown(model: Model, made: Body): Promise<Body> {
  expectAlike(made, await read(model, made));
  return made;
}

/** A second object, unless references to the same objects must be unique. */
async function another(model: Model, how: { full: boolean }): Promise<Body[]> {
  const made = await maker()
    .make(model, how)
    .then(
      (one) => [one.made],
      (refused: Error) => {
        expect(refused.message).toContain(': 400 ');
        return [];
      },
    );
  return Promise.all(made.map((one) => shown(model, one)));
}

const texts = ['description', 'comments', 'label'];
/** A change that does not move the object. */
const changeOf = ({ fields }: Model, to: string): object => {
  const name = texts.find((one) => fields[one] && !fields[one].readOnly);
  return name ? { [name]: to } : {};
};

/** By field: the references of an object that could point at another object. */
const pointers = ({ fields }: Model, object: Body): [string, Model][] =>
  Object.entries(fields).flatMap(([name, { relation, readOnly, writeOnly }]) =>
    relation && !readOnly && !writeOnly && object[name]?.id ? [[name, catalogue.get(relation.to)]] : [],
  );

test.each(written.map((model) => [model.name, model] as const))('%s', async (_, model) => {
  const first = await shown(model, (await maker().make(model)).made);
  const objects = [first, ...(await another(model, { full: true }))];
  const path = apiPath(model);
  const patch = async (change: object) => {
    const { status, body } = await used.admin.patch(`${path}${first.id}/`, change);
    // Not everything fits everywhere.
    if (status === 200) expectAlike(body, await read(model, first));
    return status;
  };
  expect(await patch(changeOf(model, 'one'))).toBe(200);
  for (const [name, to] of pointers(model, first))
    for (const { id } of await another(to, { full: false })) expect([200, 400]).toContain(await patch({ [name]: id }));
  const { status, body } = await used.admin.ask('PATCH', path, {
    body: objects.map(({ id }) => ({ id, ...changeOf(model, 'both') })),
  });
  expect(status).toBe(200);
  expectAlike(body, await Promise.all(objects.map((one) => read(model, one))));
});
