import type { senderTo } from '../command/api.ts';

/** The command line names no existing command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The input of a command. */
export interface Surroundings {
  send: ReturnType<typeof senderTo>;
  print(line: string): void;
  /** `--service`: only this one. */
  service: string | undefined;
  /** `--all`: instead of naming them. */
  all: boolean;
  /** `--user`: only objects of this user. */
  user?: string | undefined;
  /** `--seconds`, as it was given. */
  seconds?: string | undefined;
}

/** The commands of `npm run admin` about one subject. */
export interface Command {
  /** The commands, as they are typed. */
  commands: readonly string[];
  /** The lines of the help about it. */
  help: string;
  /** @throws UsageError when the words are not a command */
  run(words: readonly string[], surroundings: Surroundings): Promise<void>;
}

interface Page {
  next: string | null;
  results: Record<string, unknown>[];
  unavailable?: string[];
}

/** All objects of a list, page by page; services that did not answer are named. */
export async function everything(
  path: string,
  { send, print }: Pick<Surroundings, 'send' | 'print'>,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const missing = new Set<string>();
  for (let next: string | null = path; next !== null; ) {
    const page = (await send('GET', next)) as Page;
    found.push(...page.results);
    for (const service of page.unavailable ?? []) missing.add(service);
    next = page.next === null ? null : pathOf(page.next);
  }
  if (missing.size) print(`Not asked, as not reached: ${[...missing].join(', ')}`);
  return found;
}

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

/** One line for each entry, or a line that says that there are none. */
export function printList(lines: readonly string[], none: string, print: Surroundings['print']): void {
  for (const line of lines.length > 0 ? lines : [none]) print(line);
}
