/**
 * How long a cache may treat an entry as fresh after it has expired, in milliseconds. With an exact limit, a cache with
 * many lookups would set a timer and read the clock every millisecond.
 */
export const EXPIRY_SLACK_MS = 100;
