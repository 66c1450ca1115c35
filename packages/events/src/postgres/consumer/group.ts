import type pg from 'pg';
import { groupChannel } from '../tables/schema.ts';

/** A partition of a topic. */
export interface Place {
  topicId: number;
  partition: number;
}

/** A partition that a member owns, and how far the group is in it. */
export interface Owned extends Place {
  position: string;
}

/** A topic as the group knows it. */
export interface Topic {
  id: number;
  name: string;
  partitions: number;
}

export interface Member {
  id: string;
  topics: readonly number[];
}

/**
 * The partitions that a member is to read. Every member computes its share from the same list of members, so they need
 * not communicate.
 */
export function share(me: string, members: readonly Member[], topics: readonly Topic[]): Place[] {
  return topics.flatMap((topic) => {
    const readers = members
      .filter((member) => member.topics.includes(topic.id))
      .map((member) => member.id)
      .sort();
    // Shifted by the topic's id, so that topics with a single partition do not all fall to the first member.
    return Array.from({ length: topic.partitions }, (_, partition) => ({ topicId: topic.id, partition })).filter(
      ({ partition }) => readers[(topic.id + partition) % readers.length] === me,
    );
  });
}

// A member is alive if it was seen within the lease. The partitions of a member that is not alive are free.
export const alive = `"member"."seen_at" >= clock_timestamp() - make_interval(secs => $3::float8 / 1000)`;

/** The group's part of the database, as one member sees it. */
export interface Membership {
  /**
   * Releases partitions that are not wanted and takes those that are wanted and free. Returns what this member now
   * owns.
   */
  claim(wanted: readonly Place[]): Promise<Owned[]>;
  /** Releases everything and leaves. */
  leave(): Promise<void>;
}

/** Does not join the group: the first heartbeat does. */
export function membership(pool: pg.Pool, group: string, me: Member, lease: number): Membership {
  const wake = async (): Promise<void> => void (await pool.query(`select pg_notify('${groupChannel}', $1)`, [group]));
  return {
    async claim(wanted) {
      const places = [wanted.map((place) => place.topicId), wanted.map((place) => place.partition)];
      const released = await pool.query(
        `update "log"."progress" set "owner" = null
         where "group" = $1 and "owner" = $2
           and ("topic_id", "partition") not in (select * from rows from (unnest($3::int[]), unnest($4::int[])) as "w")`,
        [group, me.id, ...places],
      );
      // `skip locked`: a member that holds a row's lock is about to own the partition, and no member waits for another.
      const claimed = await pool.query(
        `with "free" as (
           select "topic_id", "partition" from "log"."progress"
           where "group" = $1 and "owner" is distinct from $2::uuid
             and ("topic_id", "partition") in (select * from rows from (unnest($4::int[]), unnest($5::int[])) as "w")
             and ("owner" is null or not exists (select from "log"."member" where "member"."id" = "progress"."owner" and ${alive}))
           for update skip locked
         )
         update "log"."progress" set "owner" = $2 from "free"
         where "progress"."group" = $1 and "progress"."topic_id" = "free"."topic_id" and "progress"."partition" = "free"."partition"`,
        [group, me.id, lease, ...places],
      );
      if ((released.rowCount ?? 0) > 0) await wake();
      if ((released.rowCount ?? 0) + (claimed.rowCount ?? 0) === 0 && wanted.length === 0) return [];
      const { rows } = await pool.query<Owned>(
        `select "topic_id" as "topicId", "partition", "position" from "log"."progress" where "group" = $1 and "owner" = $2`,
        [group, me.id],
      );
      return rows;
    },

    async leave() {
      await pool.query(`update "log"."progress" set "owner" = null where "group" = $1 and "owner" = $2`, [
        group,
        me.id,
      ]);
      await pool.query(`delete from "log"."member" where "id" = $1`, [me.id]);
      await wake();
    },
  };
}
