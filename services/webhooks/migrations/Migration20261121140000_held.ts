import { Migration } from '@mikro-orm/migrations';
import { heldTables } from '../intake/hold.ts';

/** Where changes wait that may have more of the same request coming. */
export class Migration20261121140000_held extends Migration {
  override up(): void {
    for (const statement of heldTables) this.addSql(statement);
  }
}
