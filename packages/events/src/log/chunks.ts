import type { Message } from './log.ts';

/**
 * Cuts messages into runs, in order, each limited in bytes and in number of messages; a message larger than the limit
 * is a run of its own.
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
