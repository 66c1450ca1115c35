import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { GroupCommit, type GroupCommitOptions } from './groupCommit.ts';

const OPTIONS: GroupCommitOptions = { concurrency: 1, maxSize: 3, maxWaitMs: 60_000, splitMs: 60_000 };

/** Groups whose work ends on demand, and the groups that have begun. */
function groupsOf(options: Partial<GroupCommitOptions> = {}) {
  const groups = new GroupCommit<string, string>({ ...OPTIONS, ...options });
  const begun: { members: readonly string[]; done: PromiseWithResolvers<readonly string[] | undefined> }[] = [];
  const join = (member: string, kind = 'site') =>
    groups.join(kind, member, (members) => {
      const done = Promise.withResolvers<readonly string[] | undefined>();
      begun.push({ members: [...members], done });
      return done.promise;
    });
  const end = (at: number, results?: readonly string[]) => begun[at]!.done.resolve(results);
  const members = () => begun.map((group) => group.members);
  /** Waits until this many groups have begun, and a little longer in case more begin. */
  const underWay = async (count: number) => {
    while (begun.length < count) await sleep(1);
    await sleep(5);
    return members();
  };
  return { join, end, begun, underWay };
}

const upper = (members: readonly string[]) => members.map((member) => member.toUpperCase());

test('those who come in the same turn go together, and each gets its own', async () => {
  const { join, end, underWay } = groupsOf();
  const asked = [join('a'), join('b'), join('c')];
  expect(await underWay(1)).toEqual([['a', 'b', 'c']]);
  end(0, ['A', 'B', 'C']);
  expect(await Promise.all(asked)).toEqual(['A', 'B', 'C']);
});

test('those who come while a group is under way go together when it has ended', async () => {
  const { join, end, underWay } = groupsOf();
  const first = join('a');
  await underWay(1);
  const later = [join('b'), join('c')];
  expect(await underWay(1)).toEqual([['a']]);
  end(0, ['A']);
  expect(await first).toBe('A');
  expect(await underWay(2)).toEqual([['a'], ['b', 'c']]);
  end(1, ['B', 'C']);
  expect(await Promise.all(later)).toEqual(['B', 'C']);
});

test('of each kind as many are under way as may be, of any number of members that a group may have', async () => {
  const { join, end, begun, underWay } = groupsOf({ concurrency: 2 });
  const asked = [...'abcdefg'].map((member) => join(member));
  const other = join('x', 'rack');
  expect(await underWay(3)).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['x']]);
  const late = join('h');
  expect(await underWay(3)).toHaveLength(3);
  for (const [at, { members }] of begun.entries()) end(at, upper(members));
  expect((await underWay(4)).slice(3)).toEqual([['g', 'h']]);
  end(3, ['G', 'H']);
  expect(await Promise.all([...asked, other])).toEqual([...'ABCDEFGX']);
  expect(await late).toBe('H');
});

test('nobody waits for a slow one for longer than they have patience', async () => {
  const { join, end, underWay } = groupsOf({ maxWaitMs: 20 });
  const slow = join('a');
  await underWay(1);
  const next = join('b');
  expect(await underWay(2)).toEqual([['a'], ['b']]);
  end(1, ['B']);
  expect(await next).toBe('B');
  end(0, ['A']);
  expect(await slow).toBe('A');
});

test('when a group has come to nothing, each of its kind goes alone for a while', async () => {
  const { join, end, underWay } = groupsOf({ splitMs: 100 });
  const asked = [join('a'), join('b')];
  await underWay(1);
  end(0);
  expect(await Promise.all(asked)).toEqual([undefined, undefined]);
  expect(await join('c')).toBeUndefined();
  const other = join('x', 'rack');
  expect(await underWay(2)).toEqual([['a', 'b'], ['x']]);
  end(1, ['X']);
  expect(await other).toBe('X');
  await sleep(150);
  const again = join('d');
  expect(await underWay(3)).toEqual([['a', 'b'], ['x'], ['d']]);
  end(2, ['D']);
  expect(await again).toBe('D');
});

test('what the work throws, all of the group get, and the next begins', async () => {
  const { join, end, begun, underWay } = groupsOf();
  const asked = Promise.allSettled([join('a'), join('b')]);
  await underWay(1);
  const next = join('c');
  begun[0]!.done.reject(new Error('gone'));
  expect((await asked).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  expect(await underWay(2)).toEqual([['a', 'b'], ['c']]);
  end(1, ['C']);
  expect(await next).toBe('C');
});
