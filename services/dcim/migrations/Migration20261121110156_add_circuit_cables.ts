import { Migration } from '@mikro-orm/migrations';

export class Migration20261121110156_add_circuit_cables extends Migration {
  override up(): void {
    this.addSql(`alter table "replica"."circuits_circuittermination" add "cable_id" bigint null, add "cable_end" varchar(1) null, add "cable_connector" smallint null, add "cable_positions" smallint[] null`);
    this.addSql(`create index "circuits_circuittermination_cable_id_idx" on "replica"."circuits_circuittermination" using btree ("cable_id")`);
  }
}
