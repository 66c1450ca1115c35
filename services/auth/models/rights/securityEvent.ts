import type { Values } from '@cadastre/model';
import type { SecurityKind } from './securityKinds.ts';

/** Something that happened at a login or with a credential. */
export interface SecurityEvent {
  kind: SecurityKind;
  ok: boolean;
  /**
   * Whom it is about. A name that somebody typed stands here only where there is such a user: people type passwords
   * there, too.
   */
  user: { id: number | null; name: string };
  /** Of the client; empty where nobody sent a request. */
  address: string;
  /** How somebody proved who they are: `password`, `token 17`, `oidc`, … */
  method?: string;
  detail?: string;
  /** As it calls itself. */
  browser?: string;
  about?: { type: string; id: number } | null;
  requestId?: string | null;
  /** How many equal events this one stands for. Default: 1. */
  count?: number;
  /** When it happened; for several events, the last time. Default: now. */
  at?: Date;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const clean = (text: string | undefined, most: number): string => (text ?? '').replaceAll('\0', '').slice(0, most);

/** An event as it is stored. */
export const valuesOf = (event: SecurityEvent): Values => ({
  time: (event.at ?? new Date()).toISOString(),
  kind: event.kind,
  result: event.ok ? 'success' : 'failure',
  user_type: event.user.id === null ? null : 'users.user',
  user_id: event.user.id,
  user_name: clean(event.user.name, 150),
  address: clean(event.address, 45),
  method: clean(event.method, 50),
  browser: clean(event.browser, 300),
  object_type: event.about?.type ?? null,
  object_id: event.about?.id ?? null,
  detail: clean(event.detail, 300),
  request_id: event.requestId && UUID.test(event.requestId) ? event.requestId : null,
  count: event.count ?? 1,
});
