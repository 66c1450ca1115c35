/**
 * How long a cache may take an entry for fresh beyond its time, in milliseconds. Where many requests look, one that had
 * to know better would set a timer and ask for the time each millisecond.
 */
export const EXPIRY_SLACK_MS = 100;
