import type { Message } from './log.ts';

/**
 * Cuts messages into runs of at most so many bytes and so many messages, in order; a message larger than that is a run
 * of its own.
 */
export function* chunks(messages: readonly Message[], maxBytes: number, maxCount: number): Generator<Message[]> {
  let run: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message.value) + message.key.length;
    if (run.length > 0 && (bytes + size > maxBytes || run.length >= maxCount)) {
      yield run;
      run = [];
      bytes = 0;
    }
    run.push(message);
    bytes += size;
  }
  if (run.length > 0) yield run;
}
