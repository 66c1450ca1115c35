import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createPendingOffsets, type Topics } from './offsets.ts';

const EVERY = 250;
afterEach(() => {
  jest.useRealTimers();
});

/** Pending offsets whose stores are recorded, and fail as often as the test wants. */
function noting() {
  jest.useFakeTimers();
  const stored: string[] = [];
  const places = createPendingOffsets(EVERY);
  const state = { failures: 0, asked: () => {}, gate: Promise.resolve() };
  const by = async ({ topics }: Topics): Promise<void> => {
    state.asked();
    await state.gate;
    if (state.failures-- > 0) throw new Error('refused');
    stored.push(
      topics
        .flatMap(({ topic, partitions }) => partitions.map(({ partition, offset }) => `${topic}${partition}:${offset}`))
        .join(' '),
    );
  };
  const at = (topic: string, partition: number, offset: number) => ({ topic, partition, offset: String(offset) });
  return { places, state, stored, note: (...some: ReturnType<typeof at>[]) => places.note(some, by), at };
}

describe('places in the log', () => {
  it('are stored at once after a pause, and then together', async () => {
    const { stored, note, at } = noting();
    await note(at('a', 0, 1));
    expect(stored).toEqual(['a0:1']);
    await note(at('a', 0, 2), at('b', 1, 7));
    await note(at('a', 0, 3), at('a', 1, 5));
    await jest.advanceTimersByTimeAsync(EVERY - 1);
    expect(stored).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(stored).toEqual(['a0:1', 'a0:3 a1:5 b1:7']);
    await jest.advanceTimersByTimeAsync(10 * EVERY);
    await note(at('a', 0, 4));
    expect(stored.slice(2)).toEqual(['a0:4']);
  });

  it('are stored when it is asked for, and not again', async () => {
    const { places, stored, note, at } = noting();
    await note(at('a', 0, 1));
    await note(at('a', 0, 2));
    await places.store();
    await jest.advanceTimersByTimeAsync(10 * EVERY);
    expect(stored).toEqual(['a0:1', 'a0:2']);
  });

  it('are stored in the end if that fails at first, by newer ones where there are any', async () => {
    const { stored, state, note, at } = noting();
    await note(at('a', 0, 1));
    state.failures = 2;
    await note(at('a', 0, 2), at('a', 1, 9));
    await jest.advanceTimersByTimeAsync(EVERY);
    await note(at('a', 0, 3));
    await jest.advanceTimersByTimeAsync(10 * EVERY);
    expect(stored).toEqual(['a0:1', 'a0:3 a1:9']);
  });

  it('tell whoever notes when storing fails', async () => {
    const { state, stored, note, at } = noting();
    state.failures = 1;
    await expect(note(at('a', 0, 1))).rejects.toThrow('refused');
    await jest.advanceTimersByTimeAsync(EVERY);
    await note();
    expect(stored).toEqual(['a0:1']);
  });

  it('are not held up by storing that never ends, once it is given up', async () => {
    const { places, state, stored, note, at } = noting();
    state.gate = new Promise(() => {});
    void note(at('a', 0, 1));
    await jest.advanceTimersByTimeAsync(10 * EVERY);
    state.gate = Promise.resolve();
    places.forget();
    await note(at('a', 0, 2));
    expect(stored).toEqual(['a0:2']);
  });

  it('are dropped when they are others’, also those whose storing fails just then', async () => {
    const { places, state, stored, note, at } = noting();
    await note(at('a', 0, 1));
    await note(at('a', 0, 2));
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    Object.assign(state, { failures: 1, gate: gate.promise, asked: asked.resolve });
    const failing = places.store();
    await asked.promise;
    places.forget();
    gate.resolve();
    await expect(failing).rejects.toThrow('refused');
    await note(at('a', 0, 3));
    places.forget();
    await jest.advanceTimersByTimeAsync(10 * EVERY);
    await places.store();
    expect(stored).toEqual(['a0:1']);
  });
});
