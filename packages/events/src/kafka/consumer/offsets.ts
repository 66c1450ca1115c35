/** How far a group has come in one partition: the offset that comes next. */
export interface PartitionOffset {
  topic: string;
  partition: number;
  offset: string;
}

/** What is to be stored, as Kafka takes it. */
export interface Topics {
  topics: { topic: string; partitions: { partition: number; offset: string }[] }[];
}

/** The places that are still to be stored. */
export interface PendingOffsets {
  /**
   * Notes where partitions are. The first note after a pause is stored before this resolves; what follows is stored
   * `every` milliseconds apart, for all partitions together. @throws what storing failed with
   */
  note(places: readonly PartitionOffset[], by: (topics: Topics) => Promise<void>): Promise<void>;
  /** Stores what is still to be stored. @throws what that failed with */
  store(): Promise<void>;
  /** Drops what is still to be stored: the partitions may be others' by now. */
  forget(): void;
}

/**
 * Remembers places, so that few requests store them: each costs the brokers as much as one that brings messages,
 * however little it says.
 */
export function createPendingOffsets(every: number): PendingOffsets {
  let due = new Map<string, PartitionOffset>();
  let last = Number.NEGATIVE_INFINITY;
  let epoch = 0;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let send: (topics: Topics) => Promise<void> = async () => {};

  const storeDue = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (due.size === 0) return;
    const places = due;
    const begun = epoch;
    due = new Map();
    last = performance.now();
    try {
      await send({
        topics: [...Map.groupBy(places.values(), ({ topic }) => topic)].map(([topic, of]) => ({
          topic,
          partitions: of.map(({ partition, offset }) => ({ partition, offset })),
        })),
      });
    } catch (error) {
      if (begun === epoch) due = new Map([...places, ...due]);
      throw error;
    }
  };
  // One after the other: an older place must not overtake a newer one.
  const store = (): Promise<void> => {
    const mine = running.then(storeDue);
    running = mine.catch(() => {});
    return mine;
  };
  // Whoever notes next hears of a failure that lasts; when nobody does, it is tried until it has passed.
  const soon = (): void => {
    if (due.size > 0)
      timer ??= setTimeout(() => void store().catch(soon), Math.max(0, last + every - performance.now()));
  };

  return {
    async note(places, by) {
      for (const place of places) due.set(`${place.topic} ${place.partition}`, place);
      send = by;
      if (performance.now() - last >= every) await store();
      else soon();
    },
    store,
    forget() {
      clearTimeout(timer);
      timer = undefined;
      epoch += 1;
      due.clear();
      // What was on its way may never come to an end.
      running = Promise.resolve();
    },
  };
}
