import { expect, test } from '@jest/globals';
import { loadCatalogue, type RuleContext, type Values } from '@cadastre/model';
import { fileURLToPath } from 'node:url';
import { accountOf } from './circuitRules.ts';
import { hasPlace } from './circuitTerminationRules.ts';
import { keepEnds } from './circuitEnds.ts';
import { measuresDistance } from './distance.ts';
import { isVirtual } from './virtual/virtualCircuitTermination.ts';

const context = (objects: Record<string, Values>) =>
  ({ related: async (type: string, id: unknown) => objects[`${type} ${id}`] ?? null }) as unknown as RuleContext;

test('a distance is kept in metres too, and has a unit', () => {
  const kept = (distance: string | null, unit: string | null) => {
    const object: Values = { distance, distance_unit: unit };
    const errors = measuresDistance(object, context({}));
    return errors ?? [object['distance_unit'], object['_abs_distance']];
  };
  expect([kept('12.5', 'km'), kept('1', 'mi'), kept('100', 'ft'), kept('0', null), kept(null, 'm')]).toEqual([
    ['km', '12500.0000'],
    ['mi', '1609.3440'],
    ['ft', '30.4800'],
    [null, null],
    [null, null],
  ]);
  expect(kept('5', null)).toEqual({ __all__: ['Must specify a unit when setting a distance'] });
});

test('an account is with the provider that delivers', async () => {
  const rule = accountOf(({ provider }) => provider, 'no');
  const known = context({ 'circuits.provideraccount 1': { provider: 7 } });
  expect([
    await rule({ provider: 7, provider_account: 1 }, known),
    await rule({ provider: 8, provider_account: null }, known),
  ]).toEqual([undefined, undefined]);
  expect(await rule({ provider: 8, provider_account: 1 }, known)).toEqual({ provider_account: ['no'] });
});

test('a termination is somewhere', () => {
  const said = (termination_type: string | null, termination_id: number | null) =>
    hasPlace({ termination_type, termination_id }, context({}));
  expect(said('dcim.site', 1)).toBeUndefined();
  expect(said(null, null)).toEqual({ __all__: ['A circuit termination must attach to a terminating object.'] });
});

test('virtual circuits end at virtual interfaces', async () => {
  const known = context({ 'dcim.interface 1': { type: 'lag' }, 'dcim.interface 2': { type: 'sfp' } });
  expect([await isVirtual({ interface: 1 }, known), await isVirtual({ interface: 9 }, known)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await isVirtual({ interface: 2 }, known)).toHaveProperty('__all__');
});

test('only circuits whose ends are others than before are changed', async () => {
  const circuits: Values[] = [
    { id: 1, termination_a: 5, termination_z: null },
    { id: 2, termination_a: null, termination_z: null },
  ];
  const derived: Values[] = [];
  const run = (...changes: [before: Values | null, after: Values | null][]) =>
    keepEnds(
      changes.map(([before, after]) => ({ action: 'updated' as const, before, after, given: {} })),
      {
        find: async (type: string) =>
          type === 'circuits.circuit' ? circuits : [{ id: 5, circuit: 2, term_side: 'Z' }],
        derive: async (_: string, objects: Values[]) => {
          derived.push(...objects);
        },
      } as never,
    );
  await run([
    { circuit: 1, term_side: 'A' },
    { circuit: 1, term_side: 'A' },
  ]);
  expect(derived).toEqual([]);
  await run([
    { circuit: 1, term_side: 'A' },
    { circuit: 2, term_side: 'Z' },
  ]);
  expect(derived).toEqual([
    { id: 1, termination_a: null, termination_z: null },
    { id: 2, termination_a: null, termination_z: 5 },
  ]);
});

test('what a termination is at decides what becomes of it', async () => {
  const catalogue = await loadCatalogue(fileURLToPath(new URL('../..', import.meta.url)));
  const onDelete = (type: string) =>
    catalogue.incoming(type).find(({ model }) => model.name === 'circuits.circuittermination')?.onDelete;
  expect(['dcim.site', 'dcim.location', 'dcim.region', 'circuits.providernetwork'].map(onDelete)).toEqual([
    'cascade',
    'cascade',
    'cascade',
    'protect',
  ]);
  expect([...catalogue.replicas('circuits').get('dcim.interface')!]).toContain('type');
});
