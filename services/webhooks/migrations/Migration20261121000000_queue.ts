import { Migration } from '@mikro-orm/migrations';
import { deliveryTables } from '../queue/schema.ts';

/** The tables of deliveries and their attempts, which the queue fills by itself. */
export class Migration20261121000000_queue extends Migration {
  override up(): void {
    for (const statement of deliveryTables) this.addSql(statement);
  }
}
