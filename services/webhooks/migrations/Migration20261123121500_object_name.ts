import { Migration } from '@mikro-orm/migrations';

/** Deliveries name their objects, those of before by what they told of them. */
export class Migration20261123121500_object_name extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column object_name text');
    this.addSql(`update webhook_delivery set object_name = payload #>> '{data,display}'`);
  }
}
