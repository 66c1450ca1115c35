import type { ApiRequest } from '@cadastre/rest';
import type { SecurityRecord } from '../security/record.ts';

/** A change of somebody's second factors, without any secret. */
interface FactorChange {
  what: 'added' | 'removed' | 'new recovery codes' | 'reset';
  /** Whose they are. */
  user: { id: number; name: string };
  /** Who did it. */
  by: Pick<ApiRequest, 'who' | 'clientIp' | 'id'>;
  detail?: string;
}

/** Called with changes of factors. */
export type RecordFactorChange = (change: FactorChange) => void;

/** Writes them into the security log. An event is about the user who made the change; its object is the owner of the factors. */
export const recordFactorChanges =
  (security: Pick<SecurityRecord, 'note'>): RecordFactorChange =>
  ({ what, user, by: { who, clientIp, id }, detail }) =>
    security.note({
      kind: 'factor_changed',
      ok: true,
      user: { id: who.userId, name: who.username },
      address: clientIp,
      ...(who.sessionId === undefined ? {} : { method: 'session' }),
      detail: detail === undefined ? what : `${what}: ${detail}`,
      about: { type: 'users.user', id: user.id },
      requestId: id,
    });
