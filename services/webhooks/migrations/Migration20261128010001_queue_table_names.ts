import { Migration } from '@mikro-orm/migrations';
import { heldTableNames } from '../intake/hold.ts';
import { failingTableName } from '../queue/tracking.ts';
import { versionTableNames } from '../rules/versions.ts';

/** Names of the glossary for what the queue keeps. */
export class Migration20261128010001_queue_table_names extends Migration {
  override up(): void {
    for (const statement of [...heldTableNames, ...failingTableName, ...versionTableNames]) this.addSql(statement);
  }
}
