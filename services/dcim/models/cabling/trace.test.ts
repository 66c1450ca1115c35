import { describe, expect, test } from '@jest/globals';
import { type CircuitEnd, keyOf, type Node, Plant, type Side } from './plant.ts';
import { profileOf } from './profiles.ts';
import { trace } from './trace.ts';

const TYPES: Record<string, string> = {
  if: 'dcim.interface',
  fp: 'dcim.frontport',
  rp: 'dcim.rearport',
  ct: 'circuits.circuittermination',
  pf: 'dcim.powerfeed',
  pp: 'dcim.powerport',
  net: 'circuits.providernetwork',
  site: 'dcim.site',
};
/** `if1` → interface 1. */
const node = (name: string): Node => {
  const [, type, id] = /^([a-z]+)(\d+)$/.exec(name)!;
  return { type: TYPES[type!]!, id: Number(id) };
};
const nameOf = ({ type, id }: Node): string => `${Object.keys(TYPES).find((k) => TYPES[k] === type) ?? 'c'}${id}`;

/**
 * Facts in short: `'if1 - if2'` is a cable, `'fp1:1 = rp1:2'` a mapping, `'ct1 ~ ct2'` a circuit. Everything else
 * counts as looked for.
 */
class World extends Plant {
  #cables = 0;
  readonly #ports = new Map<
    string,
    { node: Node; device: number; positions: number; behind: { position: number; port: Node; at: number }[] }
  >();

  cableOf(a: string, b: string, o: { status?: string; profile?: string } = {}): this {
    const id = ++this.#cables;
    const profile = profileOf(o.profile);
    const ends = (side: Side, names: string) =>
      names
        .split(' ')
        .filter(Boolean)
        .map((name, i) => ({
          cable: id,
          side,
          node: node(name),
          connector: profile ? i + 1 : null,
          positions: profile ? Array.from({ length: profile.connectors[side][i]! }, (_, p) => p + 1) : null,
        }));
    this.addCable({
      id,
      status: o.status ?? 'connected',
      profile: o.profile ?? '',
      ends: [...ends('A', a), ...ends('B', b)],
    });
    return this;
  }

  ports(names: string, positions = 1, device = 1): this {
    for (const name of names.split(' ')) {
      const port = { node: node(name), device, positions, behind: [] };
      this.#ports.set(name, port);
      this.addPort(port.node, port);
    }
    return this;
  }

  map(front: string, rear: string): this {
    const [f, fp] = front.split(':') as [string, string?];
    const [r, rp] = rear.split(':') as [string, string?];
    this.#ports.get(f)!.behind.push({ position: Number(fp ?? 1), port: node(r), at: Number(rp ?? 1) });
    this.#ports.get(r)!.behind.push({ position: Number(rp ?? 1), port: node(f), at: Number(fp ?? 1) });
    return this;
  }

  circuit(a: string, z: string, attached: { a?: string; z?: string } = {}): this {
    const end = (other: string, at: string | undefined): CircuitEnd => ({
      other: other ? node(other) : null,
      attached: at ? node(at) : null,
    });
    this.addCircuitEnd(node(a), end(z, attached.a ?? 'site1'));
    if (z) this.addCircuitEnd(node(z), end(a, attached.z ?? 'site2'));
    return this;
  }
}

function traced(world: Plant, ...origins: string[]) {
  for (let round = 0; round < 100; round++) {
    const path = trace(origins.map(node), world);
    if (path !== undefined)
      return (
        path && {
          way: path.steps.map((step) => step.map(nameOf).join(' ')).join(' | '),
          complete: path.complete,
          active: path.active,
          split: path.split,
          seen: path.seen,
          unsupported: path.unsupported,
        }
      );
    world.settle([...world.wanted.values()]);
  }
  throw new Error('no end');
}
const ok = { complete: true, active: true, split: false };
const open = { complete: false, active: true, split: false };
const forked = { complete: false, active: true, split: true };

describe('one cable', () => {
  test('leads from end to end', () => {
    const world = new World().cableOf('if1', 'if2');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | if2', ...ok });
    expect(traced(world, 'if2')).toMatchObject({ way: 'if2 | c1 | if1', ...ok });
    expect(traced(world, 'if3')).toBeNull();
  });
  test('that is only planned makes no active path', () => {
    expect(traced(new World().cableOf('pf1', 'pp1', { status: 'planned' }), 'pf1')).toMatchObject({
      complete: true,
      active: false,
    });
  });
  test('without a far end leads nowhere', () => {
    expect(traced(new World().cableOf('if1', ''), 'if1')).toMatchObject({ way: 'if1 | c1 | ', ...open });
  });
  test('may have several ends at each side', () => {
    const world = new World().cableOf('if1', 'if2 if3');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | if2 if3', ...ok });
    expect(traced(world, 'if2', 'if3')).toMatchObject({ way: 'if2 if3 | c1 | if1', ...ok });
  });
  test('with ends of different types is split', () => {
    expect(traced(new World().cableOf('if1', 'if2 fp1'), 'if1')).toMatchObject({ way: 'if1 | c1', ...forked });
  });
});

describe('ports', () => {
  const panel = () => new World().ports('fp1').ports('rp1').map('fp1', 'rp1').cableOf('if1', 'fp1');
  test('lead through a panel', () => {
    const world = panel().cableOf('rp1', 'if2');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | fp1 | rp1 | c2 | if2', ...ok });
    expect(traced(world, 'if2')).toMatchObject({ way: 'if2 | c2 | rp1 | fp1 | c1 | if1', ...ok });
  });
  test('end the path where no cable goes on, and tell what was looked at', () => {
    expect(traced(panel(), 'if1')).toMatchObject({
      way: 'if1 | c1 | fp1 | rp1',
      ...open,
      seen: ['dcim.interface:1', 'dcim.cable:1', 'dcim.frontport:1', 'dcim.rearport:1'],
    });
    expect(traced(new World().ports('fp1').cableOf('if1', 'fp1'), 'if1')).toMatchObject({
      way: 'if1 | c1 | fp1',
      ...open,
    });
  });

  /** Two panels of four positions, joined at their backs. */
  const trunk = (o: { profile?: string } = {}) => {
    const world = new World().ports('fp1 fp2 fp3 fp4 fp11 fp12 fp13 fp14').ports('rp1 rp2', 4).cableOf('rp1', 'rp2', o);
    for (const i of [1, 2, 3, 4]) world.map(`fp${i}`, `rp1:${i}`).map(`fp1${i}`, `rp2:${i}`);
    return world;
  };
  test.each([[{}], [{ profile: 'single-1c4p' }]])('with several positions lead back out at the same one %j', (o) => {
    const world = trunk(o).cableOf('if1', 'fp1').cableOf('if3', 'fp3').cableOf('fp11', 'if11').cableOf('fp13', 'if13');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c2 | fp1 | rp1 | c1 | rp2 | fp11 | c4 | if11', ...ok });
    expect(traced(world, 'if13')).toMatchObject({ way: 'if13 | c5 | fp13 | rp2 | c1 | rp1 | fp3 | c3 | if3', ...ok });
  });
  test('with several positions split a path that comes from behind', () => {
    const world = new World()
      .ports('fp1 fp2')
      .ports('rp1', 2)
      .map('fp1', 'rp1:1')
      .map('fp2', 'rp1:2')
      .cableOf('if1', 'rp1');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | rp1', ...forked });
  });
  test('may be inside each other', () => {
    // Front ports of a panel go to a rear port with two positions, whose cable ends at a front port of a panel that has
    // two positions itself.
    const world = new World()
      .ports('fp1 fp2 fp3 fp4')
      .ports('rp1 rp4', 2)
      .ports('fp5 fp6', 2)
      .ports('rp5 rp6', 4)
      .map('fp1', 'rp1:1')
      .map('fp2', 'rp1:2')
      .map('fp5:1', 'rp5:3')
      .map('fp5:2', 'rp5:4')
      .map('fp6:1', 'rp6:3')
      .map('fp6:2', 'rp6:4')
      .map('fp3', 'rp4:1')
      .map('fp4', 'rp4:2')
      .cableOf('if2', 'fp2')
      .cableOf('rp1', 'fp5')
      .cableOf('rp5', 'rp6')
      .cableOf('fp6', 'rp4')
      .cableOf('fp4', 'if4')
      .cableOf('fp3', 'if3');
    expect(traced(world, 'if2')).toMatchObject({
      way: 'if2 | c1 | fp2 | rp1 | c2 | fp5 | rp5 | c3 | rp6 | fp6 | c4 | rp4 | fp4 | c5 | if4',
      ...ok,
    });
  });
  test('several at one cable lead on together', () => {
    const world = new World()
      .ports('fp1 fp2')
      .ports('rp1 rp2')
      .map('fp1', 'rp1')
      .map('fp2', 'rp2')
      .cableOf('if1', 'fp1 fp2')
      .cableOf('rp1 rp2', 'if2');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | fp1 fp2 | rp1 rp2 | c2 | if2', ...ok });
    const apart = new World()
      .ports('fp1 fp2')
      .ports('rp1 rp2')
      .map('fp1', 'rp1')
      .map('fp2', 'rp2')
      .cableOf('if1', 'fp1 fp2')
      .cableOf('rp1', 'if2')
      .cableOf('rp2', 'if3');
    expect(traced(apart, 'if1')).toMatchObject({ way: 'if1 | c1 | fp1 fp2 | rp1 rp2 | c2 c3 | if2 if3', ...ok });
    const half = new World()
      .ports('fp1 fp2')
      .ports('rp1 rp2')
      .map('fp1', 'rp1')
      .map('fp2', 'rp2')
      .cableOf('if1', 'fp1 fp2')
      .cableOf('rp1', 'if2');
    expect(traced(half, 'if1')).toMatchObject({ complete: true, split: true });
  });
  test('of different devices are not supported on the way', () => {
    const world = new World()
      .ports('fp1 rp1')
      .ports('fp2 rp2', 1, 2)
      .map('fp1', 'rp1')
      .map('fp2', 'rp2')
      .cableOf('if1', 'fp1 fp2');
    expect(traced(world, 'if1')).toMatchObject({
      ...forked,
      unsupported: 'All mid-span terminations must have the same parent object',
    });
  });
  test('in a circle come to an end', () => {
    const ring = new World()
      .ports('fp1 fp2 rp1 rp2 fp3')
      .map('fp1', 'rp1')
      .map('fp2', 'rp2')
      .map('fp3', 'rp1')
      .cableOf('fp1', 'fp2')
      .cableOf('rp2', 'rp1')
      .cableOf('if1', 'fp3');
    expect(traced(ring, 'if1')).toMatchObject({ split: true });
  });
});

describe('circuits', () => {
  test('lead to their other end', () => {
    const world = new World().cableOf('if1', 'ct1').cableOf('ct2', 'if2').circuit('ct1', 'ct2');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | ct1 | ct2 | c2 | if2', ...ok });
  });
  test('end at a provider network', () => {
    expect(traced(new World().cableOf('if1', 'ct1').circuit('ct1', 'ct2', { z: 'net7' }), 'if1')).toMatchObject({
      way: 'if1 | c1 | ct1 | ct2 | net7',
      ...ok,
    });
  });
  test('lead to a site where nothing is cabled', () => {
    expect(traced(new World().cableOf('if1', 'ct1').circuit('ct1', 'ct2'), 'if1')).toMatchObject({
      way: 'if1 | c1 | ct1 | ct2 | site2',
      ...open,
    });
  });
  test('with one end lead nowhere', () => {
    expect(traced(new World().cableOf('if1', 'ct1').circuit('ct1', ''), 'if1')).toMatchObject({
      way: 'if1 | c1 | ct1',
      ...open,
    });
  });
  test('whose ends share a cable lead nowhere', () => {
    expect(traced(new World().cableOf('if1', 'ct1 ct2').circuit('ct1', 'ct2'), 'if1')).toMatchObject(forked);
  });
  test('may follow each other', () => {
    const world = new World()
      .cableOf('if1', 'ct1')
      .cableOf('ct2', 'ct3')
      .cableOf('ct4', 'if2')
      .circuit('ct1', 'ct2')
      .circuit('ct3', 'ct4');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | ct1 | ct2 | c2 | ct3 | ct4 | c3 | if2', ...ok });
  });
});

describe('profiles', () => {
  test('break one connector out into several', () => {
    const world = new World().cableOf('if1', 'if2 if3 if4 if5', { profile: 'breakout-1c4p-4c1p' });
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c1 | if2 if3 if4 if5', ...ok });
    expect(traced(world, 'if4')).toMatchObject({ way: 'if4 | c1 | if1', ...ok });
  });
  test('keep the connectors of a trunk apart', () => {
    const world = new World().cableOf('if1 if2', 'if3 if4', { profile: 'trunk-2c1p' });
    expect(traced(world, 'if2')).toMatchObject({ way: 'if2 | c1 | if4', ...ok });
  });
  test('shuffle positions', () => {
    const world = new World()
      .ports('rp1 rp2 rp3 rp4', 4)
      .cableOf('rp1 rp2', 'rp3 rp4', { profile: 'trunk-2c4p-shuffle' })
      .ports('fp1 fp2 fp3 fp4 fp5 fp6 fp7 fp8 fp13 fp17')
      .map('fp3', 'rp1:3')
      .map('fp17', 'rp4:1')
      .cableOf('if1', 'fp3')
      .cableOf('if2', 'fp17');
    expect(traced(world, 'if1')).toMatchObject({ way: 'if1 | c2 | fp3 | rp1 | c1 | rp4 | fp17 | c3 | if2', ...ok });
    expect(traced(world, 'if2')).toMatchObject({ way: 'if2 | c3 | fp17 | rp4 | c1 | rp1 | fp3 | c2 | if1', ...ok });
  });
  test('of which an end is not used lead nowhere there', () => {
    expect(traced(new World().cableOf('if1 if2', 'if3', { profile: 'trunk-2c1p' }), 'if2')).toMatchObject({
      way: 'if2 | c1 | ',
      ...open,
    });
  });
  test('are their own reverse', () => {
    for (const name of [
      'single-1c4p',
      'trunk-2c4p-shuffle',
      'trunk-4c4p-shuffle',
      'breakout-1c8p-8c1p',
      'breakout-2c4p-8c1p-shuffle',
    ]) {
      const profile = profileOf(name)!;
      for (const [i, positions] of profile.connectors.A.entries())
        for (let p = 1; p <= positions; p++)
          expect(profile.across('B', ...profile.across('A', i + 1, p))).toEqual([i + 1, p]);
    }
  });
});

test('what is missing is asked for all at once', () => {
  const plant = new Plant();
  expect(trace([node('if1'), node('if2')], plant)).toBeUndefined();
  expect([...plant.wanted.keys()]).toEqual(['dcim.interface:1', 'dcim.interface:2'].map(String));
  plant.settle([node('if1'), node('if2')]);
  expect(trace([node('if1')], plant)).toBeNull();
  expect(keyOf(node('if1'))).toBe('dcim.interface:1');
});
