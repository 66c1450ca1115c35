import { expect, test } from '@jest/globals';
import { UsageError } from './command.ts';
import { replicas } from './replicas.ts';

const last_fill = { written: 2, removed: 1, stuck: 0, seconds: 0.5 };
const one = {
  service: 'dcim',
  type: 'ipam.vlan',
  owner: 'ipam',
  rows: 7,
  lag: 0,
  state: 'current',
  error: null,
  last_fill,
};
const two = {
  service: 'extras',
  type: 'dcim.site',
  owner: 'dcim',
  rows: 3,
  lag: null,
  state: 'failing',
  error: 'away',
  last_fill,
};
const right = { matches: true, rows: 7, kept: 7, missing: 0, extra: 0, different: 0, partial: false, examples: [] };
const wrong = {
  matches: false,
  rows: 3,
  missing: 1,
  extra: 0,
  different: 2,
  partial: true,
  examples: [
    { id: 5, problem: 'different', kept_in: 'table', version: 2, kept_version: 1, columns: ['name', '_version'] },
    { id: 6, problem: 'missing', kept_in: 'brief', version: 1, kept_version: null, columns: [] },
  ],
};

async function run(words: string[], more: { all?: boolean; service?: string } = {}) {
  const asked: string[] = [];
  const printed: string[] = [];
  let lists = 0;
  const send = async (method: string, path: string) => {
    asked.push(`${method} ${path}`);
    if (path.includes('verify')) {
      if (path.includes('nowhere')) throw new Error('404');
      return path.includes('dcim/ipam.ipaddress')
        ? { ...right, rows: 9_000 }
        : path.includes('dcim/ipam.vlan')
          ? right
          : wrong;
    }
    if (path.includes('rebuild')) return { state: 'filling' };
    return { next: null, results: [one, { ...two, state: lists++ ? 'current' : 'failing' }] };
  };
  const failure = await replicas
    .run(words, { send, print: (line) => printed.push(line), service: more.service, all: more.all ?? false })
    .then(
      () => undefined,
      (error: Error) => error,
    );
  return { asked, printed, failure };
}

test('lists', async () => {
  expect(await run(['list'], { service: 'dcim' })).toEqual({
    asked: ['GET /api/core/replicas/?limit=1000&service=dcim'],
    printed: [
      'dcim ipam.vlan  of ipam  7 objects  0 s behind  current',
      'extras dcim.site  of dcim  3 objects  lag unknown  failing  away',
    ],
    failure: undefined,
  });
});

test('compares one or all, names what is wrong, and fails then', async () => {
  expect(await run(['verify', 'dcim', 'ipam.vlan'])).toEqual({
    asked: ['POST /api/core/replicas/dcim/ipam.vlan/verify/'],
    printed: ['dcim ipam.vlan  7 objects, as their owner has them'],
    failure: undefined,
  });
  expect((await run(['verify', 'dcim', 'ipam.ipaddress'])).printed).toEqual([
    'dcim ipam.ipaddress  7 objects that matter there, of 9000, as their owner has them',
  ]);
  const { printed, failure } = await run(['verify'], { all: true });
  expect(printed.slice(1)).toEqual([
    'extras dcim.site  1 missing, 0 too many, 2 different, of 3 (not all looked at)',
    '  5 different (table), version 2 at its owner, 1 here: name, _version',
    '  6 missing (brief), version 1 at its owner, none here',
  ]);
  expect(failure?.message).toBe('1 of 2 are not as they should be.');
  expect((await run(['verify', 'dcim', 'nowhere.x'])).printed).toEqual(['dcim nowhere.x  404']);
});

test('fills again and waits until it is done', async () => {
  const { asked, printed } = await run(['rebuild'], { all: true });
  expect(asked.slice(1, 3)).toEqual([
    'POST /api/core/replicas/dcim/ipam.vlan/rebuild/',
    'POST /api/core/replicas/extras/dcim.site/rebuild/',
  ]);
  expect(printed).toEqual([
    'dcim ipam.vlan  7 objects; 2 written, 1 removed, in 0.5 s',
    'extras dcim.site  3 objects; 2 written, 1 removed, in 0.5 s',
  ]);
});

test('says how it is used', async () => {
  for (const words of [[], ['nonsense'], ['verify'], ['rebuild', 'dcim']])
    expect((await run(words)).failure).toBeInstanceOf(UsageError);
});
