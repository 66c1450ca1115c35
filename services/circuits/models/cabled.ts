import { boolean, type Field, helped } from '@cadastre/model';

/** What a termination has because a cable can end at it. */
export const cabled = (): Record<string, Field> => ({ mark_connected: helped('Treat as if a cable is connected', boolean()) });
