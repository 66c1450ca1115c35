import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105105_add_virtualization extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."virtualization_cluster" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_cluster_tenant_id_idx" on "replica"."virtualization_cluster" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."virtualization_virtualmachine" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_virtualmachine_tenant_id_idx" on "replica"."virtualization_virtualmachine" using btree ("tenant_id")`);
  }
}
