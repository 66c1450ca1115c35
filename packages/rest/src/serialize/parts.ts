/**
 * A text in parts, of which large ones are the bytes that many answers share: sending them costs no copy of them, and
 * leaves the garbage collector nothing to clear away.
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
