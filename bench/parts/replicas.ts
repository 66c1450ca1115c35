import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';
import type { Client } from '../load/client.ts';
import { upTo } from '../../tools/command/api.ts';
import { connected } from '../cost/database.ts';
import { SECONDS, write } from '../load/load.ts';
import { amount, AS_GOOD, type Measured, rate } from '../report/report.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

/** How many tenants change, at which rate; and the number of objects in a replica that is filled from scratch. */
const SIZE = { tenants: 500, perSecond: 200, rows: 100_000 };

/** Replicas of other services' objects: writes with references, the delay of copies, and the time to fill a replica. */
export async function measureReplicas(system: System, api: Client): Promise<Measured[]> {
  const headers = { authorization: `Token ${system.token}` };
  console.log(`event log: ${process.env['KAFKA_BROKERS'] ? 'Kafka' : 'PostgreSQL'}`);
  await filled(api);
  const tenants = (await api.send(
    'POST',
    '/api/tenancy/tenants/',
    upTo(SIZE.tenants).map((i) => ({ name: `copied ${i}`, slug: `copied-${i}` })),
  )) as { id: number }[];
  await api.send('POST', '/api/ipam/rirs/', [{ name: 'bench', slug: 'bench' }]);
  await api.send('POST', '/api/ipam/asns/', [{ asn: 64_512, rir: { slug: 'bench' } }]);
  const body = (n: number) => ({
    name: `refers ${n}`,
    slug: `refers-${n}`,
    tenant: { slug: `copied-${1 + (n % SIZE.tenants)}` },
    asns: [{ asn: 64_512 }],
  });
  const made = await write(`${system.base}/api/dcim/sites/`, headers, body, 100 * SECONDS, 4);
  const lines = [withLoad(rate('create one with references to two services', made, { against: AS_GOOD }))];
  const ids = tenants.map(({ id }) => id);
  // Also ten changes a request, for machines that cannot make single writes at this rate.
  for (const each of [1, 10]) lines.push(withLoad(await lag(system, headers, ids, Math.max(SECONDS, 10), each)));
  for (const service of ['dcim', 'extras']) lines.push(...(await catchUp(system, api, service)).map(withLoad));
  return lines;
}

/** Adds the load of the machine at the time of the measurement. */
const withLoad = (line: Measured): Measured => ({
  ...line,
  notes: [...line.notes, `load average ${loadavg()[0]!.toFixed(1)}`],
});

interface Replica {
  state: string;
  filled: string | null;
  rows: number;
  last_fill: { written: number; seconds: number } | null;
}

/** Waits until no replica is left to fill. */
async function filled(api: Client): Promise<void> {
  for (; ; await sleep(500)) {
    const { results } = (await api.send('GET', '/api/core/replicas/?limit=1000')) as { results: Replica[] };
    if (results.length && results.every(({ state }) => state === 'current')) return;
  }
}

/**
 * The time from a change at its owner until it is committed in a replica elsewhere, while objects change at a fixed
 * pace, however long the answers take.
 */
async function lag(
  system: System,
  headers: Record<string, string>,
  ids: number[],
  seconds: number,
  each: number,
): Promise<Measured> {
  return connected(system.databaseUrl('dcim'), (copies) =>
    connected(system.databaseUrl('tenancy'), async (owners) => {
      // A deferred trigger in the database that holds the replica records the time at commit.
      await copies.query(`create table bench_followed (id bigint, version int, at timestamptz);
      create function bench_follow() returns trigger language plpgsql as $$ begin insert into bench_followed values (new.id, new._version, clock_timestamp()); return null; end $$;
      create constraint trigger bench_follow after insert or update on replica.tenancy_tenant deferrable initially deferred for each row execute function bench_follow()`);
      try {
        const {
          rows: [newest],
        } = await owners.query<{ last: string }>('select coalesce(max(id), 0) as last from change');
        const answers: Promise<boolean>[] = [];
        const began = performance.now();
        const total = SIZE.perSecond * seconds;
        for (let n = 0; n < total; n += each) {
          const wait = began + (n * 1000) / SIZE.perSecond - performance.now();
          if (wait > 1) await sleep(wait);
          const body = Array.from({ length: each }, (_, i) => ({
            id: ids[(n + i) % ids.length],
            description: `change ${n + i}`,
          }));
          answers.push(
            fetch(`${system.base}/api/tenancy/tenants/`, {
              method: 'PATCH',
              headers: { ...headers, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }).then(
              async (r) => {
                await r.arrayBuffer();
                return r.ok;
              },
              () => false,
            ),
          );
        }
        const ok = (await Promise.all(answers)).filter(Boolean).length * each;
        const took = (performance.now() - began) / 1000;
        const { rows: changes } = await owners.query<{ id: string; version: number; at: string }>(
          `select split_part(key, ':', 2) as id, (body::jsonb ->> 'version')::int as version, (extract(epoch from time) * 1000)::float8 as at from change where id > $1 and key like 'tenancy.tenant:%'`,
          [newest!.last],
        );
        let followed = new Map<string, { version: number; at: number }[]>();
        const seen = ({ id, version }: { id: string; version: number }) =>
          followed.get(id)?.find((one) => one.version >= version);
        for (const until = Date.now() + 60_000; Date.now() < until; await sleep(250)) {
          const { rows } = await copies.query<{ id: string; version: number; at: number }>(
            'select id, version, (extract(epoch from at) * 1000)::float8 as at from bench_followed order by at',
          );
          followed = Map.groupBy(rows, ({ id }) => id);
          if (changes.every(seen)) break;
        }
        const delays = changes
          .map((change) => (seen(change)?.at ?? Infinity) - Number(change.at))
          .sort((a, b) => a - b);
        const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? NaN;
        return amount(
          `copies at ${SIZE.perSecond} writes/s, ${each} a request: late by p99`,
          Math.round(at(0.99)),
          'ms',
          {
            target: 500,
            notes: [
              `p50 ${at(0.5).toFixed(0)} ms`,
              `most ${at(1).toFixed(0)} ms`,
              `${ok} of ${total} answered in ${seconds} s, ${(ok / took).toFixed(0)}/s`,
            ],
          },
        );
      } finally {
        await copies.query(
          'drop trigger bench_follow on replica.tenancy_tenant; drop function bench_follow(); drop table bench_followed',
        );
      }
    }),
  );
}

/** Fills a replica with objects for which no events were published, and compares it. */
async function catchUp(system: System, api: Client, service: string): Promise<Measured[]> {
  const path = `/api/core/replicas/${service}/tenancy.tenant/`;
  const look = async () =>
    ((await api.send('GET', `/api/core/replicas/?service=${service}&type=tenancy.tenant`)) as { results: Replica[] })
      .results[0]!;
  await connected(system.databaseUrl('tenancy'), (client) =>
    client.query(
      `insert into tenancy_tenant (name, slug, description) select 'bulk ' || i, 'bulk-' || i, 'one of many' from generate_series(1, $1::int) i on conflict do nothing`,
      [SIZE.rows],
    ),
  );
  const before = await look();
  await api.send('POST', `${path}rebuild/`);
  let now = before;
  // Polls seldom, as each poll counts the rows of all replicas.
  while (now.filled === before.filled || now.state !== 'current') {
    await sleep(1000);
    now = await look();
  }
  const { written, seconds } = now.last_fill!;
  const began = performance.now();
  const report = (await api.send('POST', `${path}verify/`)) as { matches: boolean };
  const checked = now.rows / ((performance.now() - began) / 1000);
  return [
    {
      what: `${service} fills a copy`,
      value: written / seconds,
      unit: 'rows/s',
      better: 'more',
      target: 20_000,
      against: AS_GOOD,
      notes: [`${written.toLocaleString('en')} objects in ${seconds} s`],
    },
    {
      what: `${service} compares it`,
      value: checked,
      unit: 'rows/s',
      better: 'more',
      notes: [report.matches ? 'equal' : 'NOT EQUAL'],
    },
  ];
}
