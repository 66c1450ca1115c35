import { hkdfSync } from 'node:crypto';
import type { Secret } from '../settings/secret.ts';

/**
 * All purposes of SERVICE_SECRET. The secret signs nothing itself: each purpose has a key of its own, from which
 * neither the secret nor another purpose's key can be derived. Identities and calls between services have key pairs
 * instead (`key-pairs.ts`).
 */
export const purposes = {
  sessions: 'cookies of those who have logged in',
  forms: 'what forms of the web pages bring along',
  'second steps': 'cookies of those whose password was right, and who have yet to prove a second factor',
  flows: 'what a browser keeps while its user logs in somewhere else',
  'kept forms': 'what somebody has typed while their login goes on elsewhere',
  positions: 'how far writes had come that a client knows of',
} as const;
export type Purpose = keyof typeof purposes;

/** The key of one purpose (HKDF, RFC 5869). */
export const keyFor = (root: Secret, purpose: Purpose): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', root.reveal(), 'cadastre', `cadastre ${purpose} 1`, 32));
