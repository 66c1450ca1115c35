import type { Cell } from '@cadastre/model';
import type { Files } from '../../media/files.ts';
import type { Peers } from '../../peers/peers.ts';
import type { Cache } from '../../cache/cache.ts';
import type { CustomFieldDefinitions } from '../../cache/customFields.ts';
import type { Executor } from '../../db/sql.ts';
import type { Sees } from '../../visibility/sees.ts';
import type { Tables } from '../../db/tables.ts';

/** Where related objects come from while an answer is put together. */
export interface Source {
  tables: Tables;
  cache: Cache;
  executor: Executor;
  /** False inside a transaction that has written: what it sees is not yet everybody's truth. */
  keep: boolean;
  definitions: CustomFieldDefinitions;
  /** Whom to ask for brief forms that are made of what is not here. */
  peers?: Pick<Peers, 'briefs'>;
  /** What the reader may view, where what is shown is for one and depends on it. */
  sees?: Sees | undefined;
  /**
   * Whether something was shown of which nothing tells when it is no longer right; what shows it is not remembered
   * either.
   */
  passing?: { seen: boolean };
  /** Where the files of objects are, where there are any. */
  files?: Files;
  /**
   * Rows, with all columns, that the transaction has changed or removed, by type and id: what is gone from its table
   * can still be named.
   */
  changed?: ReadonlyMap<string, ReadonlyMap<string, Cell[]>>;
  /**
   * What the transaction has written: the ids of the objects that it has made, and of all that it has stored, by type.
   */
  written?: { born: ReadonlyMap<string, ReadonlySet<string>>; stored: ReadonlyMap<string, ReadonlySet<string>> };
  /**
   * What a transaction that writes no more has found, by name and id: the record of it and the answer tell of the same
   * objects.
   */
  found?: Map<string, ReadonlyMap<string, unknown>>;
}
