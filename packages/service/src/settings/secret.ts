import { inspect } from 'node:util';

const mask = '********';

/** A value that never shows itself in a log line, an error or a printed config. Only `reveal()` gives it out. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return mask;
  }
  toJSON(): string {
    return mask;
  }
  [inspect.custom](): string {
    return mask;
  }
}

/** A URL for people to read: the password in it is masked. */
export function maskUrl(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password) parsed.password = mask;
    return parsed.toString();
  } catch {
    return mask;
  }
}
