import type { senderTo } from '../command/api.ts';

/** The command line asks for nothing that there is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command works with. */
export interface Surroundings {
  send: ReturnType<typeof senderTo>;
  print(line: string): void;
  /** `--service`: only of this one. */
  service: string | undefined;
  /** `--all`: instead of naming them. */
  all: boolean;
  /** `--user`: what is this user's. */
  user?: string | undefined;
  /** `--seconds`, as it was given. */
  seconds?: string | undefined;
}

/** What `npm run admin` can do about one subject. */
export interface Command {
  /** Its commands, as they are written. */
  commands: readonly string[];
  /** The lines of the help about it. */
  help: string;
  /** @throws UsageError when the words ask for nothing that there is */
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

/** One line for each, or a line that says that there are no entries. */
export function printList(lines: readonly string[], none: string, print: Surroundings['print']): void {
  for (const line of lines.length > 0 ? lines : [none]) print(line);
}
