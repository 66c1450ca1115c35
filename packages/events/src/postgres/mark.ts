import type pg from 'pg';

interface End {
  id: number;
  position: string;
  waiting: boolean;
}

/** Selects whether a group has yet to handle a message of a topic up to a position. */
const waits = (topic: string, position: string): string => `exists (
    select from "log"."progress" as "p" where "p"."group" = $1 and "p"."topic_id" = ${topic} and exists (
      select from "log"."message" as "m" where "m"."topic_id" = ${topic} and "m"."partition" = "p"."partition" and "m"."position" > "p"."position" and "m"."position" <= ${position}
    )
  )`;
const ends = `select "id", "position", ${waits('"topic"."id"', '"topic"."position"')} as "waiting" from "log"."topic" where "name" = any($2)`;
const behind = `select exists (select from rows from (unnest($2::int[]), unnest($3::bigint[])) as "e" ("id", "position") where ${waits('"e"."id"', '"e"."position"')}) as "waiting"`;

/** Where topics end, and whether a group is there. The first answer costs no statement more. */
export async function mark(pool: pg.Pool, group: string, topics: readonly string[]): Promise<() => Promise<boolean>> {
  const { rows } = await pool.query<End>({ name: 'log-mark', text: ends, values: [group, topics] });
  let left = rows.filter(({ waiting }) => waiting);
  let asked = false;
  return async () => {
    if (asked && left.length > 0) {
      const { rows: found } = await pool.query<{ waiting: boolean }>({
        name: 'log-behind',
        text: behind,
        values: [group, left.map(({ id }) => id), left.map(({ position }) => position)],
      });
      if (found[0]?.waiting === false) left = [];
    }
    asked = true;
    return left.length === 0;
  };
}
