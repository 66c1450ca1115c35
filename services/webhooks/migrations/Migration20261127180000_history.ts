import { Migration } from '@mikro-orm/migrations';
import { historyTables } from '../rules/versions.ts';

/** What rules and webhooks were. */
export class Migration20261127180000_history extends Migration {
  override up(): void {
    for (const statement of historyTables) this.addSql(statement);
  }
}
