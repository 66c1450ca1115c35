/** Notes of one kind that are written together, later, so that their authors do not wait. */
export interface NoteBatcher<Key, Note> {
  /** What is noted under a key already is replaced. */
  add(key: Key, note: Note): void;
  /** Writes what was gathered. */
  close(): Promise<void>;
}

/** @param failed called with what could not be written; it is not tried again */
export function noteBatcher<Key, Note>(
  write: (notes: ReadonlyMap<Key, Note>) => Promise<unknown>,
  { gatherMs, failed }: { gatherMs: number; failed(error: unknown): void },
): NoteBatcher<Key, Note> {
  let notes = new Map<Key, Note>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function flush(): Promise<unknown> {
    timer = undefined;
    const taken = notes;
    notes = new Map();
    writing = writing.then(() => (taken.size ? write(taken) : undefined)).catch(failed);
    return writing;
  }

  return {
    add(key, note) {
      notes.set(key, note);
      timer ??= setTimeout(() => void flush(), gatherMs);
    },
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}
