import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, everything, printList, type Surroundings, UsageError } from './command.ts';

const PATH = '/api/core/replicas/';
/** How often to check whether replicas are filled, in milliseconds. */
const EVERY_MS = 500;

/** The copies that services keep of each other's objects. */
export const replicas: Command = {
  commands: ['replicas list', 'replicas verify', 'replicas rebuild'],
  help: `  replicas list [--service <service>]     what services keep of each other's objects, how much and how late
  replicas verify <service> <type> | --all  compare it, or all of it (of --service), with what the owners have
  replicas rebuild <service> <type> | --all fill it, or all of it (of --service), from the owners again, and wait until it is done
`,
  async run([command, ...words], surroundings) {
    if (command === 'list')
      return printList((await list(surroundings)).map(lineOf), 'There are no replicas.', surroundings.print);
    if (command === 'verify') return verify(await chosen(words, surroundings), surroundings);
    if (command === 'rebuild') return rebuild(await chosen(words, surroundings), surroundings);
    throw new UsageError('replicas: list, verify or rebuild.');
  },
};

type Replica = Record<string, unknown>;

const list = (surroundings: Surroundings, more = ''): Promise<Replica[]> =>
  everything(
    `${PATH}?limit=1000${surroundings.service ? `&service=${encodeURIComponent(surroundings.service)}` : ''}${more}`,
    surroundings,
  );

async function chosen([service, type]: readonly string[], surroundings: Surroundings): Promise<Replica[]> {
  if (surroundings.all) return list(surroundings);
  if (!service || !type) throw new UsageError('Name the service and the type of the objects, or --all.');
  return [{ service, type }];
}

const nameOf = ({ service, type }: Replica): string => `${String(service)} ${String(type)}`;
const addressOf = ({ service, type }: Replica): string =>
  `${PATH}${encodeURIComponent(String(service))}/${encodeURIComponent(String(type))}/`;
const lineOf = (replica: Replica): string =>
  `${nameOf(replica)}  of ${String(replica['owner'])}  ${String(replica['rows'])} objects  ${replica['lag'] === null ? 'lag unknown' : `${String(replica['lag'])} s behind`}  ${String(replica['state'])}${replica['error'] ? `  ${String(replica['error'])}` : ''}`;

interface Report {
  matches: boolean;
  rows: number;
  kept: number;
  missing: number;
  extra: number;
  different: number;
  partial: boolean;
  examples: {
    id: number;
    problem: string;
    kept_in: string;
    version: number | null;
    kept_version: number | null;
    columns: string[];
  }[];
}

/** In their order; one that cannot be compared does not stop the others. */
async function verify(all: readonly Replica[], { send, print }: Surroundings): Promise<void> {
  let wrong = 0;
  for (const replica of all) {
    try {
      const report = (await send('POST', `${addressOf(replica)}verify/`)) as Report;
      if (report.matches) {
        print(
          `${nameOf(replica)}  ${report.kept < report.rows ? `${report.kept} objects that matter there, of ${report.rows}` : `${report.rows} objects`}, as their owner has them`,
        );
        continue;
      }
      print(
        `${nameOf(replica)}  ${report.missing} missing, ${report.extra} too many, ${report.different} different, of ${report.rows}${report.partial ? ' (not all looked at)' : ''}`,
      );
      for (const { id, problem, kept_in, version, kept_version, columns } of report.examples)
        print(
          `  ${id} ${problem} (${kept_in}), version ${version ?? 'none'} at its owner, ${kept_version ?? 'none'} here${columns.length ? `: ${columns.join(', ')}` : ''}`,
        );
    } catch (error) {
      print(`${nameOf(replica)}  ${(error as Error).message}`);
    }
    wrong += 1;
  }
  if (wrong) throw new Error(`${wrong} of ${all.length} are not as they should be.`);
}

async function rebuild(all: readonly Replica[], surroundings: Surroundings): Promise<void> {
  const { send, print } = surroundings;
  for (const replica of all) await send('POST', `${addressOf(replica)}rebuild/`);
  for (let left = new Set(all.map(nameOf)); left.size; ) {
    await sleep(EVERY_MS);
    const known = await list({ ...surroundings, service: undefined, print: () => undefined });
    for (const replica of known) {
      if (!left.has(nameOf(replica)) || replica['state'] !== 'current') continue;
      const { written, removed, stuck, seconds } = replica['last_fill'] as Record<string, number>;
      print(
        `${nameOf(replica)}  ${String(replica['rows'])} objects; ${written} written, ${removed} removed${stuck ? `, ${stuck} could not be removed` : ''}, in ${seconds} s`,
      );
      left.delete(nameOf(replica));
    }
  }
}
