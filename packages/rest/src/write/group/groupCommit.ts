import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

export interface GroupCommitOptions {
  /** So many groups of a kind may be under way before others wait for the end of one. */
  concurrency: number;
  /** So many belong to a group at most. */
  maxSize: number;
  /** Nobody waits for other groups for longer than this, in milliseconds. */
  maxWaitMs: number;
  /** For how long, in milliseconds, everybody of a kind goes alone after one of its groups has come to nothing. */
  splitMs: number;
}

/** Does what the members of a group ask for, in their order. Undefined where that has come to nothing. */
export type GroupWork<Member, Result> = (members: readonly Member[]) => Promise<readonly Result[] | undefined>;

interface Group<Member, Result> {
  readonly members: Member[];
  readonly done: PromiseWithResolvers<readonly Result[] | undefined>;
}

interface Kind<Member, Result> {
  underWay: number;
  /** The group that gathers. */
  open: Group<Member, Result> | undefined;
  /** What lets groups begin that wait for the end of others. */
  readonly waiting: Set<() => void>;
}

/** So many kinds are remembered as apart at most. */
const MAX_SPLIT = 10_000;

/**
 * Lets those go together who arrive while others of their kind are under way, as in a group commit. Who comes first
 * begins at once, with all who ask in the same turn of the event loop, and works for all of the group.
 */
export class GroupCommit<Member, Result> {
  readonly #options: GroupCommitOptions;
  readonly #kinds = new Map<string, Kind<Member, Result>>();
  readonly #apart: LRUCache<string, true>;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#apart = new LRUCache({ max: MAX_SPLIT, ttl: options.splitMs });
  }

  /**
   * What came of a member's part in the work of its group; undefined where it is to be done alone.
   * @throws what the work of the group threw
   */
  async join(name: string, member: Member, work: GroupWork<Member, Result>): Promise<Result | undefined> {
    if (this.#apart.has(name)) return undefined;
    const kind = this.#kindOf(name);
    if (kind.open && kind.open.members.length < this.#options.maxSize) {
      const place = kind.open.members.push(member) - 1;
      return (await kind.open.done.promise)?.[place];
    }
    const group: Group<Member, Result> = { members: [member], done: Promise.withResolvers() };
    // Where nobody has joined, nobody hears of it there.
    group.done.promise.catch(() => undefined);
    kind.open = group;
    if (kind.underWay >= this.#options.concurrency) await groupEnd(kind, this.#options.maxWaitMs);
    // What has arrived by now has yet to be read, all of it.
    await turn();
    if (kind.open === group) kind.open = undefined;
    kind.underWay += 1;
    try {
      const results = await work(group.members);
      if (!results) this.#apart.set(name, true);
      group.done.resolve(results);
      return results?.[0];
    } catch (error) {
      group.done.reject(error);
      throw error;
    } finally {
      kind.underWay -= 1;
      const [next] = kind.waiting;
      next?.();
      if (!kind.underWay && !kind.open && !next) this.#kinds.delete(name);
    }
  }

  #kindOf(name: string): Kind<Member, Result> {
    let kind = this.#kinds.get(name);
    if (!kind) this.#kinds.set(name, (kind = { underWay: 0, open: undefined, waiting: new Set() }));
    return kind;
  }
}

/** Resolves when a group has ended, or after so long. */
function groupEnd({ waiting }: Pick<Kind<never, never>, 'waiting'>, maxWaitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, maxWaitMs);
    waiting.add(go);
  });
}
