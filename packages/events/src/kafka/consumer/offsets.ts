/** How far a group has come in one partition: the next offset. */
export interface PartitionOffset {
  topic: string;
  partition: number;
  offset: string;
}

/** What is to be stored, as Kafka takes it. */
export interface Topics {
  topics: { topic: string; partitions: { partition: number; offset: string }[] }[];
}

/** The offsets that are still to be stored. */
export interface PendingOffsets {
  /**
   * Notes how far partitions are. The first note after a pause is stored before this resolves; later ones are stored
   * `every` milliseconds apart, for all partitions together.
   * @throws the error with which storing failed
   */
  note(places: readonly PartitionOffset[], by: (topics: Topics) => Promise<void>): Promise<void>;
  /** Stores what is still to be stored. @throws the error with which that failed */
  store(): Promise<void>;
  /** Drops what is still to be stored: the partitions may belong to other members by now. */
  forget(): void;
}

/**
 * Collects offsets, so that few requests store them: each costs the brokers as much as a request that brings messages,
 * however small it is.
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
  // One after the other: an older offset must not be stored after a newer one.
  const store = (): Promise<void> => {
    const mine = running.then(storeDue);
    running = mine.catch(() => {});
    return mine;
  };
  // A failure that lasts is reported by the next `note`; without one, storing is tried again until it succeeds.
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
      // A request that is under way may never end, so later ones must not wait for it.
      running = Promise.resolve();
    },
  };
}
