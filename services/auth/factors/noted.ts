import type { ApiRequest } from '@cadastre/rest';
import type { SecurityRecord } from '../security/record.ts';

/** What has become of somebody's second factors. Nothing of what proves them stands here. */
interface FactorChange {
  what: 'added' | 'removed' | 'new recovery codes' | 'reset';
  /** Whose they are. */
  user: { id: number; name: string };
  /** Who did it. */
  by: Pick<ApiRequest, 'who' | 'clientIp' | 'id'>;
  detail?: string;
}

/** Hears of changes of factors. */
export type NotesFactors = (change: FactorChange) => void;

/** Keeps them in the record of who came. It is about whoever did it; whose factors they are, its object says. */
export const notesFactors =
  (security: Pick<SecurityRecord, 'note'>): NotesFactors =>
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
