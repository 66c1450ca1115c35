import { Migration } from '@mikro-orm/migrations';
import { namingTables } from '../queue/naming.ts';

/** Deliveries name their objects. */
export class Migration20261123121500_object_name extends Migration {
  override up(): void {
    for (const statement of namingTables) this.addSql(statement);
  }
}
