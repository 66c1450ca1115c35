import { LRUCache } from 'lru-cache';

/** Counts what fails, so that nobody can guess for long. */
export interface Attempts {
  /** Whether none of these has failed too often of late. */
  allowed(...keys: string[]): boolean;
  failed(...keys: string[]): void;
  /** In seconds: when it may be tried again. */
  pause: number;
}

const windowMs = 60_000;
const mostKeys = 10_000;

/** So many failures are allowed within a minute, for each of the keys. */
export function attempts(most: number): Attempts {
  const failures = new LRUCache<string, number>({ max: mostKeys, ttl: windowMs, noUpdateTTL: true });
  return {
    pause: windowMs / 1_000,
    allowed: (...keys) => keys.every((key) => (failures.get(key) ?? 0) < most),
    failed: (...keys) => { for (const key of keys) failures.set(key, (failures.get(key) ?? 0) + 1); },
  };
}
