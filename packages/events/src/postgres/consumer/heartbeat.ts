import type pg from 'pg';
import { createSignal } from '../../waiting/signal.ts';
import { alive, type Member } from './group.ts';

/** What a member learns with each heartbeat. */
export interface HeartbeatAnswer {
  /** All members of its group that are alive, itself included. */
  members: Member[];
  /** How many partitions it owns. */
  owned: number;
}

interface Beating extends Member {
  group: string;
  /** Called after each heartbeat. */
  told(beat: HeartbeatAnswer): void;
  onError(error: unknown): void;
}

/** Sends the heartbeats of all members that this process has in groups, by one statement for all. */
export interface Heartbeat {
  /** Resolves after the first beat. */
  join(member: Beating): Promise<void>;
  /** Beats at once for the members of a group. */
  wake(group: string): void;
  /** Resolves when no heartbeat of the member is under way any more. */
  leave(id: string): Promise<void>;
}

// Members of this process learn of each other without the table. Rows that another process has locked, to remove a
// member or to renew it, are skipped, so that no process waits for another.
const statement = `with "mine" as (
    select "id", "group", string_to_array("topics", ',', '')::int[] as "topics"
    from rows from (unnest($1::uuid[]), unnest($2::text[]), unnest($4::text[])) as "m" ("id", "group", "topics")
  ), "beat" as (
    insert into "log"."member" ("id", "group", "topics", "seen_at") select "id", "group", "topics", clock_timestamp() from "mine" order by "id"
    on conflict ("id") do update set "seen_at" = excluded."seen_at"
  ), "gone" as (
    delete from "log"."member" where "id" in (
      select "id" from "log"."member" where "group" = any($2) and "id" <> all($1) and not (${alive}) for update skip locked
    )
  )
  select "id", (select count(*)::int from "log"."progress" where "progress"."group" = "mine"."group" and "owner" = "mine"."id") as "owned",
    (select coalesce(jsonb_agg(jsonb_build_object('id', "id", 'topics', "topics")), '[]') from "log"."member"
     where "member"."group" = "mine"."group" and "id" <> all($1) and ${alive}) as "others"
  from "mine"`;

/** Sends four heartbeats per lease. */
export function createHeartbeat(pool: pg.Pool, lease: number): Heartbeat {
  const all = new Map<string, Beating>();
  const signal = createSignal();
  let woken = new Set<string>();
  let beating: Promise<void> = Promise.resolve();
  let running = false;

  const beat = async (some: readonly Beating[]): Promise<void> => {
    const { rows } = await pool.query<{ id: string; owned: number; others: Member[] }>({
      name: 'log-beat',
      text: statement,
      values: [
        some.map(({ id }) => id),
        some.map(({ group }) => group),
        lease,
        some.map(({ topics }) => topics.join()),
      ],
    });
    const found = new Map(rows.map((row) => [row.id, row]));
    const living = new Set([...all.values(), ...some]);
    for (const member of some) {
      const { owned = 0, others = [] } = found.get(member.id) ?? {};
      const here = [...living].filter(({ group }) => group === member.group);
      const elsewhere = others.filter(({ id }) => !here.some((one) => one.id === id));
      member.told({ members: [...elsewhere, ...here.map(({ id, topics }) => ({ id, topics }))], owned });
    }
  };

  const run = async (): Promise<void> => {
    const every = lease / 4;
    for (let next = performance.now() + every; all.size > 0; ) {
      await signal.wait(Math.max(0, next - performance.now()));
      const due = performance.now() >= next - 1;
      const some = [...all.values()].filter(({ group }) => due || woken.has(group));
      woken = new Set();
      if (due) next = performance.now() + every;
      if (some.length === 0) continue;
      beating = beat(some).catch((error: unknown) => {
        for (const member of some) member.onError(error);
      });
      await beating;
    }
    running = false;
  };

  return {
    async join(member) {
      await beat([member]);
      all.set(member.id, member);
      if (running) return;
      running = true;
      void run();
    },
    wake(group) {
      woken.add(group);
      signal.wake();
    },
    async leave(id) {
      all.delete(id);
      if (all.size === 0) signal.wake();
      await beating;
    },
  };
}
