import type { Values } from '@cadastre/model';
import type { Requester } from '../../core/requester.ts';
import type { GivenFiles } from '../../media/files.ts';
import type { ImportRun } from './importRun.ts';
import type { Cause } from './change.ts';

/** Who writes, by which request, and where it was sent. */
export interface WriteContext {
  who: Requester;
  cause: Cause;
  base: string;
  files?: GivenFiles;
  /** What was done ahead for each object. */
  prepared?: readonly (Values | undefined)[];
  /** The objects come from elsewhere. */
  importing?: ImportRun;
  /** Writes in other services that every service asked for this write must have seen. */
  pendingWrites?: string;
}
