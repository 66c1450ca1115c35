import { spoken } from './speaking.ts';

/** A name within a sentence: `site group`, `IP address`; languages that write them alike everywhere leave them. */
export const within = (label: string): string =>
  spoken().labels.lower
    ? label
        .split(' ')
        .map((word) => (/^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word))
        .join(' ')
    : label;
