import { describe, expect, test } from '@jest/globals';
import { Budget, type GiveBack, type Member, placesFor, sharesOf, type Use } from './budget.ts';

/** Requests this many places; returns those that it got, in the order in which they came. */
function ask(member: Member, count: number, use: Use = 'long'): GiveBack[] {
  const got: GiveBack[] = [];
  for (let i = 0; i < count; i++) member.ask(use, (giveBack) => got.push(giveBack));
  return got;
}

describe('shares', () => {
  test.each([
    [8, 1, 4, 4],
    [12, 2, 4, 4],
    [40, 9, 4, 4],
    [28, 9, 3, 1],
    [100, 4, 4, 84],
  ])('of %d places for %d members are %d, and %d may be borrowed', (places, members, share, common) => {
    expect(sharesOf(places, members)).toEqual({ share, common });
  });

  test('grow with the members where nobody has said how many places there are', () => {
    expect([1, 2, 9].map(placesFor)).toEqual([8, 12, 40]);
    const budget = new Budget();
    budget.join();
    budget.join();
    expect(budget.places).toBe(12);
  });

  test('are never too small for a statement beside a transaction and a lock', () => {
    const budget = new Budget({ places: 1 });
    const members = [budget.join(), budget.join(), budget.join()];
    expect(budget.places).toBe(9);
    for (const member of members) {
      expect(ask(member, 5)).toHaveLength(2);
      expect(ask(member, 5, 'single')).toHaveLength(1);
    }
  });
});

describe('a member', () => {
  test('gets what others do not need, and never what is theirs', () => {
    const budget = new Budget({ places: 16 });
    const [busy, quiet] = [budget.join(), budget.join()];
    // Its own four minus the one for single statements, and the eight common ones.
    expect(ask(busy!, 100)).toHaveLength(11);
    expect(ask(busy!, 100, 'single')).toHaveLength(1);
    expect(ask(quiet!, 3)).toHaveLength(3);
    expect(ask(quiet!, 1, 'single')).toHaveLength(1);
  });

  test('that holds all it can have for long has a place for a statement all the same', () => {
    const budget = new Budget({ places: 4 });
    const one = budget.join();
    expect(ask(one, 10)).toHaveLength(3);
    const [statement] = ask(one, 1, 'single');
    expect(statement).toBeDefined();
    // The next free place goes to the waiting single statement, not to the long uses.
    const later = ask(one, 1, 'single');
    expect(later).toHaveLength(0);
    statement!();
    expect(later).toHaveLength(1);
  });

  test('gets its places in the order in which it asked', () => {
    const one = new Budget({ places: 4 }).join();
    const got: number[] = [];
    const back: GiveBack[] = [];
    for (let i = 0; i < 6; i++)
      one.ask('long', (giveBack) => {
        got.push(i);
        back.push(giveBack);
      });
    expect(got).toEqual([0, 1, 2]);
    for (const giveBack of [...back]) giveBack();
    expect(got).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('that has less is served before one that has more', () => {
    const budget = new Budget({ places: 12 });
    const [early, late] = [budget.join(), budget.join()];
    const first = ask(early!, 100);
    expect(first).toHaveLength(7);
    const second = ask(late!, 100);
    expect(second).toHaveLength(3);
    for (const giveBack of first.slice(0, 4)) giveBack();
    // Four of early's came free: late catches up, then both have the same.
    expect(second.length).toBe(5);
    expect(first.length - 4).toBe(5);
  });

  test('that does not wait any longer gets nothing', () => {
    const one = new Budget({ places: 4 }).join();
    const held = ask(one, 3);
    const got: GiveBack[] = [];
    const takeBack = one.ask('long', (giveBack) => got.push(giveBack));
    takeBack();
    held[0]!();
    expect(got).toEqual([]);
    expect(ask(one, 1)).toHaveLength(1);
  });

  test('that leaves leaves its share to the others', () => {
    const budget = new Budget({ places: 12 });
    const [stays, leaves] = [budget.join(), budget.join()];
    ask(leaves!, 100);
    const got = ask(stays!, 100);
    expect(got).toHaveLength(3);
    leaves!.leave();
    expect(got).toHaveLength(11);
  });
});

test('places that are given back while others are served are not given twice', () => {
  const budget = new Budget({ places: 8 });
  const [one, other] = [budget.join(), budget.join()];
  let running = 0;
  let most = 0;
  let done = 0;
  const work = (member: Member, use: Use): void => {
    member.ask(use, (giveBack) => {
      running += 1;
      most = Math.max(most, running);
      queueMicrotask(() => {
        running -= 1;
        done += 1;
        giveBack();
      });
    });
  };
  for (let i = 0; i < 200; i++) work(i % 3 ? one! : other!, i % 2 ? 'single' : 'long');
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    expect([most, done, running]).toEqual([8, 200, 0]);
  });
});
