import { Migration } from '@mikro-orm/migrations';

export class Migration20261121112800_catch_up_cables extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."dcim_frontport" (
      "id" bigint not null,
      "device_id" bigint null,
      "name" varchar(64) null,
      "label" varchar(64) null,
      "module_id" bigint null,
      "type" varchar(50) null,
      "color" varchar(6) null,
      "positions" smallint null,
      "mark_connected" boolean null,
      "cable_id" bigint null,
      "cable_end" varchar(1) null,
      "cable_connector" smallint null,
      "cable_positions" smallint[] null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_frontport_device_id_idx" on "replica"."dcim_frontport" using btree ("device_id")`);
    this.addSql(`create index "dcim_frontport_name_idx" on "replica"."dcim_frontport" using btree ("name")`);
    this.addSql(`create index "dcim_frontport_module_id_idx" on "replica"."dcim_frontport" using btree ("module_id")`);
    this.addSql(`create index "dcim_frontport_cable_id_idx" on "replica"."dcim_frontport" using btree ("cable_id")`);
    this.addSql(`create index "dcim_frontport_owner_id_idx" on "replica"."dcim_frontport" using btree ("owner_id")`);
    this.addSql(`create index "dcim_frontport_tags_idx" on "replica"."dcim_frontport" using gin ("tags")`);
    this.addSql(`create table "replica"."dcim_rearport" (
      "id" bigint not null,
      "device_id" bigint null,
      "name" varchar(64) null,
      "label" varchar(64) null,
      "module_id" bigint null,
      "type" varchar(50) null,
      "color" varchar(6) null,
      "positions" smallint null,
      "mark_connected" boolean null,
      "cable_id" bigint null,
      "cable_end" varchar(1) null,
      "cable_connector" smallint null,
      "cable_positions" smallint[] null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rearport_device_id_idx" on "replica"."dcim_rearport" using btree ("device_id")`);
    this.addSql(`create index "dcim_rearport_name_idx" on "replica"."dcim_rearport" using btree ("name")`);
    this.addSql(`create index "dcim_rearport_module_id_idx" on "replica"."dcim_rearport" using btree ("module_id")`);
    this.addSql(`create index "dcim_rearport_cable_id_idx" on "replica"."dcim_rearport" using btree ("cable_id")`);
    this.addSql(`create index "dcim_rearport_owner_id_idx" on "replica"."dcim_rearport" using btree ("owner_id")`);
    this.addSql(`create index "dcim_rearport_tags_idx" on "replica"."dcim_rearport" using gin ("tags")`);
    this.addSql(`alter table "replica"."dcim_cabletermination" add "_device_id" bigint null`);
    this.addSql(`create index "dcim_cabletermination__device_id_idx" on "replica"."dcim_cabletermination" using btree ("_device_id")`);
  }
}
