import type { Errors } from '@cadastre/model';
import { invalid, type Refusal } from '../../core/errors.ts';

/** A place in a document: a list, and which of its items. */
export type Origin = readonly [list: string, nth: number];

/**
 * What is wrong with documents: for each, messages by field, and by list one entry for each of its items. The answer has
 * the form of what was sent.
 */
export class Messages {
  readonly #all: { own: Errors; lengths: Map<string, number>; parts: Map<string, Map<number, Errors>> }[] = [];

  constructor(documents: number) {
    this.#all = Array.from({ length: documents }, () => ({ own: {}, lengths: new Map(), parts: new Map() }));
  }

  /** How many items a list has. */
  length(at: number, list: string, length: number): void {
    this.#all[at]!.lengths.set(list, length);
  }

  own(at: number, errors: Errors): void {
    add(this.#all[at]!.own, errors);
  }

  part(at: number, [list, nth]: Origin, errors: Errors): void {
    const { parts } = this.#all[at]!;
    const items = parts.get(list) ?? new Map<number, Errors>();
    parts.set(list, items);
    const known = items.get(nth) ?? {};
    items.set(nth, known);
    add(known, errors);
  }

  get some(): boolean {
    return this.#all.some(({ own, parts }) => Object.keys(own).length > 0 || parts.size > 0);
  }

  /** The messages of each document, or those of the only one. */
  refusal(single: boolean): Refusal {
    const all = this.#all.map(({ own, lengths, parts }) => ({
      ...own,
      ...Object.fromEntries(
        [...parts].map(([list, items]) => [
          list,
          Array.from({ length: lengths.get(list) ?? 0 }, (_, nth) => items.get(nth) ?? {}),
        ]),
      ),
    }));
    return invalid(single ? all[0]! : all);
  }
}

function add(known: Errors, more: Errors): void {
  for (const [field, messages] of Object.entries(more)) {
    const before = known[field];
    known[field] = Array.isArray(before) && Array.isArray(messages) ? [...before, ...messages] : messages;
  }
}
