/**
 * A text in parts; large parts are bytes that many answers share, so sending them takes no copy and leaves nothing to
 * the garbage collector.
 */
export class Parts {
  readonly list: readonly (string | Buffer)[];

  constructor(...parts: (string | Buffer)[]) {
    this.list = parts;
  }

  get byteLength(): number {
    return this.list.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  }

  toString(): string {
    return this.list.join('');
  }
}
