import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111511_catch_up extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."dcim_devicetype" (
      "id" bigint not null,
      "manufacturer_id" bigint null,
      "model" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_devicetype_manufacturer_id_idx" on "replica"."dcim_devicetype" using btree ("manufacturer_id")`);
    this.addSql(`create table "replica"."dcim_manufacturer" (
      "id" bigint not null,
      "name" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create table "replica"."dcim_virtualchassis" (
      "id" bigint not null,
      "name" varchar(64) null,
      "master_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_virtualchassis_name_idx" on "replica"."dcim_virtualchassis" using btree ("name")`);
    this.addSql(`create index "dcim_virtualchassis_master_id_idx" on "replica"."dcim_virtualchassis" using btree ("master_id")`);
    this.addSql(`alter table "replica"."virtualization_virtualmachine" add "local_context_data" jsonb null`);
    this.addSql(`alter table "replica"."virtualization_vminterface" add "_name" varchar(100) null`);
  }
}
