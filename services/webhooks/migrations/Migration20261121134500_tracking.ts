import { Migration } from '@mikro-orm/migrations';
import { trackingTables } from '../queue/tracking.ts';

/** What operators see and steer of deliveries. */
export class Migration20261121134500_tracking extends Migration {
  override up(): void {
    for (const statement of trackingTables) this.addSql(statement);
  }
}
