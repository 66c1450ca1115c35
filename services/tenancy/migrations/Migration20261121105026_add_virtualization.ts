import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105026_add_virtualization extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."dcim_device" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_device_tenant_id_idx" on "replica"."dcim_device" using btree ("tenant_id")`);
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
