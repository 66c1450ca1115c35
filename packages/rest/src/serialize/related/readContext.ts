import type { Cell } from '@cadastre/model';
import type { Files } from '../../media/files.ts';
import type { Peers } from '../../peers/peers.ts';
import type { Cache } from '../../cache/cache.ts';
import type { LoadContext } from '../../cache/loadThroughCache.ts';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';
import type { Executor } from '../../db/sql.ts';
import type { Visibility } from '../../visibility/visibility.ts';
import type { Tables } from '../../db/tables.ts';

/** Where related objects come from while an answer is put together. */
export interface ReadContext extends LoadContext {
  tables: Tables;
  cache: Cache;
  executor: Executor;
  definitions: CustomFieldDefinitions;
  /** The services to ask for brief forms that show something that is not here. */
  peers?: Pick<Peers, 'briefs'>;
  /** What the reader may view, where the answer is for one reader and depends on it. */
  visibility?: Visibility | undefined;
  /** Where the files of objects are, where there are any. */
  files?: Files;
  /**
   * Rows, with all columns, that the transaction has changed or removed, by type and id, so that a removed object can
   * still be named.
   */
  changed?: ReadonlyMap<string, ReadonlyMap<string, Cell[]>>;
  /**
   * What the transaction has written: the ids of the objects that it has made, and of all that it has stored, by type.
   */
  written?: { created: ReadonlyMap<string, ReadonlySet<string>>; stored: ReadonlyMap<string, ReadonlySet<string>> };
}
