import { expect, test } from '@jest/globals';
import { environmentOf, parseArguments, WrongArguments } from './arguments.ts';

const asked = (line: string, env: NodeJS.ProcessEnv = {}) =>
  parseArguments(line.split(' ').filter(Boolean), ['start', 'sites', 'network'], env);

test('without arguments all parts are measured in the default form', () => {
  expect(asked('')).toEqual({ parts: ['start', 'sites', 'network'], forms: ['default'] });
});

test('parts keep their order, and the form comes from the line, else from the environment', () => {
  expect(asked('network start --form 2')).toEqual({ parts: ['start', 'network'], forms: ['2'] });
  expect(asked('sites', { PROCESSES: 'each' })).toEqual({ parts: ['sites'], forms: ['each'] });
});

test('a form is compared with another', () => {
  expect(asked('--against each sites')).toEqual({ parts: ['sites'], forms: ['default', 'each'] });
  expect(asked('--against 2', { PROCESSES: '1' }).forms).toEqual(['1', '2']);
});

test('another version is compared with this one, also in the same form', () => {
  const here = process.cwd();
  expect(asked(`--against each --checkout ${here} sites`)).toEqual({
    parts: ['sites'],
    forms: ['default', 'each'],
    checkout: here,
  });
  expect(asked('--against default --checkout . start').checkout).toBe(here);
});

test.each([
  ['--checkout .', 'Say with --against in which form the other version is to run.'],
  ['--against each --checkout bench', 'There is no version of this system at bench.'],
  ['slow', 'There is no part slow; there are start, sites, network.'],
  ['--against none', 'A form is a number of processes, "each" or "default", not none.'],
  ['--form 0', 'A form is a number of processes, "each" or "default", not 0.'],
  ['--form each --against each', 'Both forms are each: name another with --form or --against.'],
  ['--agains each', "Unknown option '--agains'"],
])('%s is refused', (line, message) => {
  expect(() => asked(line)).toThrow(WrongArguments);
  expect(() => asked(line)).toThrow(message);
});

test('an empty PROCESSES lets the system choose, also where the environment names a form', () => {
  expect([environmentOf('default'), environmentOf('each')]).toEqual([{ PROCESSES: '' }, { PROCESSES: 'each' }]);
});
