// Objects that referred to a deleted object have changed, and their events, records, versions and ETags say
// so, for every relation that is emptied, in the service of the object and in others.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiPath, loadCatalogue, type Model } from '@cadastre/model';
import pMap from 'p-map';
import type { Answer, Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeRule, makeWebhook } from '../support/webhooks/hooks.ts';
import { FITTING, type Letting, lettings } from '../support/objects/letting.ts';
import { Maker } from '../support/objects/maker.ts';
import { type Bench, openBench } from '../support/objects/plant.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { useSystem } from '../support/system.ts';

/** Objects that are created and read in bulk: one by one, the eighty of a tag take a minute of round trips. */
const TOGETHER = { concurrency: 8 };

const used = useSystem();
const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
const model = (type: string): Model => catalogue.get(type);
const at = ({ name }: Model, { id }: Body): string => `${apiPath(model(name))}${id}/`;

let known: Maker | undefined;
const maker = () => (known ??= new Maker(catalogue, used.admin));
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** An object as it was before another was deleted. */
interface Before {
  model: Model;
  object: Body;
  answer: Answer;
}

const remembered = async (of: Model, object: Body): Promise<Before> => ({
  model: of,
  object,
  answer: await used.admin.get(at(of, object)),
});

/** Waits for the deliveries of the changes that `work` makes. */
async function toldOf(changed: readonly Before[], work: () => Promise<void>): Promise<void> {
  const heard = changed.filter((one) => one.model.features.has('eventRules'));
  const hook = await makeWebhook(used.admin, receiver);
  const rule = heard.length
    ? await makeRule(used.admin, hook, {
        object_types: [...new Set(heard.map((one) => one.model.name))],
        event_types: ['object_updated'],
        conditions: { or: heard.map(({ object }) => ({ attr: 'id', value: object.id })) },
      })
    : undefined;
  await work();
  const told = () =>
    receiver.at(`/${hook.name}`).map(({ body }) => (JSON.parse(body.toString()) as { data: Body }).data.url);
  await eventually(() =>
    expect(told()).toEqual(expect.arrayContaining(heard.map(({ answer }) => new URL(answer.body.url).pathname))),
  );
  if (rule) await used.admin.delete(`/api/extras/event-rules/${rule.id}/`);
}

/** Deletes an object; checks that each object that it changes is reported like any other change. */
async function tells(type: string, target: Body, changed: readonly Before[]): Promise<Body[]> {
  const records: Body[] = [];
  await toldOf(changed, async () => {
    const deleted = await used.admin.delete(at(model(type), target));
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const request = deleted.headers.get('X-Request-ID');
    const all = await pMap(
      changed,
      async ({ model: of, object, answer }): Promise<Body[]> => {
        const now = await eventually(async () => {
          const seen = await used.admin.get(at(of, object));
          if (seen.text === answer.text) throw new Error(`${of.name} ${object.id} is what it was`);
          return seen;
        });
        expect(now.status).toBe(200);
        // A few types neither show when they were changed nor have ETags.
        if ('last_updated' in now.body)
          expect(Date.parse(now.body.last_updated)).toBeGreaterThan(Date.parse(answer.body.last_updated));
        if (of.features.has('timestamps')) expect(now.headers.get('ETag')).not.toBe(answer.headers.get('ETag'));
        if (!of.features.has('changeLogging')) return [];
        const { results } = await used.admin.read(
          `/api/core/object-changes/?changed_object_type=${of.name}&changed_object_id=${object.id}&action=update&request_id=${request}`,
        );
        expect(results).toHaveLength(1);
        expect(results[0].postchange_data).not.toEqual(results[0].prechange_data);
        return results;
      },
      TOGETHER,
    );
    records.push(...all.flat());
  });
  return records;
}

/** A new object that refers to another. */
async function referrer({ model: of, field }: Letting, type: string, target: Body): Promise<Before> {
  const { made } = await maker().make(of, { full: false });
  const { generic, relation } = of.fields[field]!;
  const value = generic
    ? { [generic.typeField]: type, [generic.idField]: target.id }
    : { [field]: relation!.many ? [target.id] : target.id };
  const along = (await FITTING[`${of.name}.${field}`]?.(used.admin, made, target)) ?? {};
  const { status, text } = await used.admin.patch(at(of, made), { ...along, ...value });
  expect([of.name, field, status, status === 200 || text]).toEqual([of.name, field, 200, true]);
  return remembered(of, made);
}

// An address that is assigned to one device cannot be chosen by another; everything else can refer to the same object.
const relations = [...lettings(catalogue)].flatMap(([type, all]): [string, string, Letting[]][] =>
  all.some(({ model: of, field }) => `${of.name}.${field}` in FITTING)
    ? all.map((one) => [`${type}: ${one.model.name}.${one.field}`, type, [one]])
    : [[type, type, all]],
);

describe('what referred to a deleted object is updated', () => {
  test.each(relations)('%s', async (_, type, all) => {
    const { made: target } = await maker().make(model(type), { full: false });
    const changed = await pMap(all, (one) => referrer(one, type, target), TOGETHER);
    await tells(type, target, changed);
  });
});

describe('a cable that loses an end', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(used.admin);
  });
  const cabled = async (a: Body | Body[], b: Body): Promise<Before> =>
    remembered(model('dcim.cable'), await bench.cable(a, b));
  const ends = (...ports: Body[]) => ports.map(({ id }) => ({ object_type: 'dcim.interface', object_id: id }));

  test('with its port', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const [record] = await tells('dcim.interface', a, [await cabled(a, b)]);
    expect(record.prechange_data).toMatchObject({ a_terminations: ends(a), b_terminations: ends(b) });
    expect(record.postchange_data).toMatchObject({ a_terminations: [], b_terminations: ends(b) });
  });
  test('of several', async () => {
    const [a, b, c] = [await bench.port(), await bench.port(), await bench.port()];
    const [record] = await tells('dcim.interface', a, [await cabled([a, c], b)]);
    expect(record.prechange_data).toMatchObject({ a_terminations: ends(a, c) });
    expect(record.postchange_data).toMatchObject({ a_terminations: ends(c), b_terminations: ends(b) });
  });
  test('with the device of its port', async () => {
    const device = await bench.device();
    const own = [await bench.part(device, 'interfaces'), await bench.part(device, 'interfaces')];
    const others = [await bench.port(), await bench.port()];
    await tells('dcim.device', device, [await cabled(own[0], others[0]), await cabled(own[1], others[1])]);
  });
  test('with the module of its port', async () => {
    const device = await bench.device();
    const bay = await bench.part(device, 'module-bays');
    const { made: type } = await maker().make(model('dcim.moduletype'), { full: false });
    const module = await used.admin.make('/api/dcim/modules/', {
      device: device.id,
      module_bay: bay.id,
      module_type: type.id,
    });
    const port = await bench.part(device, 'interfaces', { module: module.id });
    await tells('dcim.module', module, [await cabled(port, await bench.port())]);
  });
  test('with a power feed', async () => {
    const panel = await used.admin.make('/api/dcim/power-panels/', { site: bench.site.id, name: 'panel' });
    const feed = await used.admin.make('/api/dcim/power-feeds/', { power_panel: panel.id, name: 'feed' });
    const inlet = await bench.part(await bench.device(), 'power-ports');
    await tells('dcim.powerfeed', feed, [await cabled(feed, inlet)]);
  });
  test('of another service', async () => {
    const { made: circuit } = await maker().make(model('circuits.circuit'), { full: false });
    const termination = await used.admin.make('/api/circuits/circuit-terminations/', {
      circuit: circuit.id,
      term_side: 'A',
      termination_type: 'dcim.site',
      termination_id: bench.site.id,
    });
    const cable = await cabled(termination, await bench.port());
    await tells('circuits.circuittermination', termination, [cable]);
    // These are deleted with the circuit.
    const again = await used.admin.make('/api/circuits/circuit-terminations/', {
      circuit: circuit.id,
      term_side: 'Z',
      termination_type: 'dcim.site',
      termination_id: bench.site.id,
    });
    await tells('circuits.circuit', circuit, [await cabled(again, await bench.port())]);
  });
});

test('the ports at both ends of a deleted cable are updated', async () => {
  const bench = await openBench(used.admin);
  const ports = [await bench.port(), await bench.port()];
  const cable = await bench.cable(ports[0], ports[1]);
  const changed = await Promise.all(ports.map((port) => remembered(model('dcim.interface'), port)));
  await tells('dcim.cable', cable, changed);
});

test('a front port is updated when the rear port behind it is deleted, and the other way round', async () => {
  const bench = await openBench(used.admin);
  const { front, rear } = await bench.panel(2);
  const [fronts, rears] = [model('dcim.frontport'), model('dcim.rearport')];
  const [record] = await tells('dcim.rearport', rear[0], [await remembered(fronts, front[0])]);
  expect(record.prechange_data.rear_ports).toEqual([{ position: 1, rear_port: rear[0].id, rear_port_position: 1 }]);
  expect(record.postchange_data.rear_ports).toEqual([]);
  await tells('dcim.frontport', front[1], [await remembered(rears, rear[1])]);
});

test('what only its own list is about is no change of another object', async () => {
  const { made: provider } = await maker().make(model('circuits.provider'), { full: false });
  const account = await used.admin.make('/api/circuits/provider-accounts/', { provider: provider.id, account: 'a' });
  const before = await remembered(model('circuits.provider'), provider);
  await used.admin.delete(`/api/circuits/provider-accounts/${account.id}/`);
  const { body } = await used.admin.get(at(model('circuits.provider'), provider));
  expect([body.accounts, body.last_updated]).toEqual([[], before.answer.body.last_updated]);
});
