import { expect, test } from '@jest/globals';
import type { Check, CheckContext, Values } from '@cadastre/model';
import { checkTerminations } from './checkTerminations.ts';

/** Runs the check over proposed cables; each statement is answered with the rows for what it reads. */
async function checked(
  proposed: { object: Values; before?: Values }[],
  rows: Record<string, (string | null)[][]>,
): Promise<{ errors: Awaited<ReturnType<Check>>; statements: number }> {
  let statements = 0;
  const context = {
    tableOf: (type: string) => `<${type}>`,
    query: async (text: string) => {
      statements++;
      return rows[/from <([\w.]+)>/.exec(text)![1]!] ?? [];
    },
  } as unknown as CheckContext;
  const errors = await checkTerminations(
    proposed.map(({ object, before }) => ({ object, before: before ?? null })),
    context,
  );
  return { errors, statements };
}
const ends = (type: string, ...ids: number[]): Values[] =>
  ids.map((id) => ({ termination_type: type, termination_id: id }));
const cable = (a: Values[], b: Values[], more: Values = {}): { object: Values } => ({
  object: { profile: '', a_terminations: a, b_terminations: b, ...more },
});
const free = (id: number, more: (string | null)[] = [null, 'f', 'r1', `e${id}`, '1000base-t', 'f']) => [
  String(id),
  ...more,
];

test('asks once for each type of thing, however many cables', async () => {
  const interfaces = Array.from({ length: 40 }, (_, i) => free(i + 1));
  const many = Array.from({ length: 20 }, (_, i) =>
    cable(ends('dcim.interface', 2 * i + 1), ends('dcim.interface', 2 * i + 2)),
  );
  expect(await checked(many, { 'dcim.interface': interfaces })).toEqual({
    errors: many.map(() => undefined),
    statements: 1,
  });
});

test('tells for each cable what is wrong with it', async () => {
  const { errors } = await checked(
    [
      cable(ends('dcim.interface', 1), ends('dcim.interface', 2)),
      cable(ends('dcim.interface', 3), []),
      cable(ends('dcim.interface', 4), ends('dcim.interface', 5)),
      cable(ends('dcim.interface', 6), ends('dcim.poweroutlet', 1)),
      cable(ends('dcim.interface', 7), ends('dcim.interface', 8)),
      cable(ends('dcim.interface', 9, 10), ends('dcim.interface', 11), { profile: 'single-1c2p' }),
    ],
    {
      'dcim.interface': [
        free(1),
        free(2),
        free(4),
        free(5, ['77', 'f', 'r1', 'e5', '1000base-t', 'f']),
        free(7, [null, 't', 'r1', 'e7', '1000base-t', 'f']),
        free(8),
      ],
    },
  );
  expect(errors).toEqual([
    undefined,
    { __all__: ['Must define A and B terminations when creating a new cable.'] },
    { __all__: ['Duplicate termination found for dcim.interface 5: cable 77'] },
    { __all__: ['Incompatible termination types: interface and poweroutlet'] },
    { __all__: ['Cannot connect a cable to r1 > e7 because it is marked as connected.'] },
    { a_terminations: ['A side of cable has 2 terminations but only 1 are permitted for profile 1C2P'] },
  ]);
});

test('looks at the ends that a cable has when only one side changes, and at none when neither does', async () => {
  const before: Values = { id: 9, profile: '' };
  const old = {
    'dcim.cabletermination': [
      ['9', 'A', 'dcim.consoleport', '1'],
      ['9', 'B', 'dcim.consoleserverport', '2'],
    ],
  };
  const change = { object: { ...before, b_terminations: ends('dcim.interface', 1) }, before };
  expect((await checked([change], old)).errors).toEqual([
    { __all__: ['Incompatible termination types: consoleport and interface'] },
  ]);
  expect(await checked([{ object: { ...before, label: 'x' }, before }], old)).toEqual({
    errors: [undefined],
    statements: 0,
  });
  // Its own ends are not taken.
  const own = { object: { ...before, a_terminations: ends('dcim.consoleport', 1) }, before };
  expect(
    (await checked([own], { ...old, 'dcim.consoleport': [free(1, ['9', 'f', 'r', 'c', null, 'f'])] })).errors,
  ).toEqual([undefined]);
});
