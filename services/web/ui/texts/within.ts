import { spoken } from './speaking.ts';

/** A name within a sentence: `site group`, `IP address`; unchanged in languages that keep the capital letters. */
export const within = (label: string): string =>
  spoken().labels.lower
    ? label
        .split(' ')
        .map((word) => (/^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word))
        .join(' ')
    : label;
