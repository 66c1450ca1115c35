import { Batcher } from '@cadastre/events/batcher';
import { LRUCache } from 'lru-cache';

export interface GroupCommitOptions {
  /** How many groups of a kind may be under way before others wait for the end of one. */
  concurrency: number;
  /** The greatest number of members in a group. */
  maxSize: number;
  /** How long a member waits for other groups at most, in milliseconds. */
  maxWaitMs: number;
  /** For how long, in milliseconds, members of a kind are handled alone after one of its groups was split. */
  splitMs: number;
}

/** Does what the members of a group ask for, in their order. Undefined where the group has to be split. */
export type GroupWork<Member, Result> = (members: readonly Member[]) => Promise<readonly Result[] | undefined>;

interface Joined<Member, Result> {
  member: Member;
  work: GroupWork<Member, Result>;
}

/** How many kinds are remembered as split at most. */
const MAX_SPLIT = 10_000;

/**
 * Groups members that arrive while others of their kind are under way. The work of the first one is done for the group.
 */
export class GroupCommit<Member, Result> {
  readonly #options: GroupCommitOptions;
  readonly #kinds = new Map<string, Batcher<Joined<Member, Result>, Result | undefined>>();
  readonly #split: LRUCache<string, true>;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#split = new LRUCache({ max: MAX_SPLIT, ttl: options.splitMs });
  }

  /**
   * The result of a member's part in the work of its group; undefined where the member is to be handled alone.
   * @throws what the work of the group threw
   */
  async join(kind: string, member: Member, work: GroupWork<Member, Result>): Promise<Result | undefined> {
    if (this.#split.has(kind)) return undefined;
    const groups = this.#groupsOf(kind);
    try {
      return await groups.add({ member, work });
    } finally {
      if (groups.idle) this.#kinds.delete(kind);
    }
  }

  #groupsOf(kind: string): Batcher<Joined<Member, Result>, Result | undefined> {
    let groups = this.#kinds.get(kind);
    if (!groups) this.#kinds.set(kind, (groups = new Batcher((joined) => this.#workFor(kind, joined), this.#options)));
    return groups;
  }

  async #workFor(kind: string, joined: readonly Joined<Member, Result>[]): Promise<readonly (Result | undefined)[]> {
    const results = await joined[0]!.work(joined.map(({ member }) => member));
    if (!results) this.#split.set(kind, true);
    return results ?? joined.map(() => undefined);
  }
}
