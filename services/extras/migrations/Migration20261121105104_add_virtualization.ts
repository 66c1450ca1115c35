import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105104_add_virtualization extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."dcim_device" (
      "id" bigint not null,
      "device_type_id" bigint null,
      "role_id" bigint null,
      "platform_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_device_device_type_id_idx" on "replica"."dcim_device" using btree ("device_type_id")`);
    this.addSql(`create index "dcim_device_role_id_idx" on "replica"."dcim_device" using btree ("role_id")`);
    this.addSql(`create index "dcim_device_platform_id_idx" on "replica"."dcim_device" using btree ("platform_id")`);
    this.addSql(`create table "replica"."virtualization_cluster" (
      "id" bigint not null,
      "name" varchar(100) null,
      "type_id" bigint null,
      "group_id" bigint null,
      "status" varchar(50) null,
      "tenant_id" bigint null,
      "scope_type" varchar(100) null,
      "scope_id" bigint null,
      "_site_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_cluster_name_idx" on "replica"."virtualization_cluster" using btree ("name")`);
    this.addSql(`create index "virtualization_cluster_type_id_idx" on "replica"."virtualization_cluster" using btree ("type_id")`);
    this.addSql(`create index "virtualization_cluster_group_id_idx" on "replica"."virtualization_cluster" using btree ("group_id")`);
    this.addSql(`create index "virtualization_cluster_tenant_id_idx" on "replica"."virtualization_cluster" using btree ("tenant_id")`);
    this.addSql(`create index "virtualization_cluster__site_id_idx" on "replica"."virtualization_cluster" using btree ("_site_id")`);
    this.addSql(`create index "virtualization_cluster_owner_id_idx" on "replica"."virtualization_cluster" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_cluster_tags_idx" on "replica"."virtualization_cluster" using gin ("tags")`);
    this.addSql(`create table "replica"."virtualization_clustergroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_clustergroup_slug_idx" on "replica"."virtualization_clustergroup" using btree ("slug")`);
    this.addSql(`create index "virtualization_clustergroup_owner_id_idx" on "replica"."virtualization_clustergroup" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_clustergroup_tags_idx" on "replica"."virtualization_clustergroup" using gin ("tags")`);
    this.addSql(`create table "replica"."virtualization_clustertype" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_clustertype_slug_idx" on "replica"."virtualization_clustertype" using btree ("slug")`);
    this.addSql(`create index "virtualization_clustertype_owner_id_idx" on "replica"."virtualization_clustertype" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_clustertype_tags_idx" on "replica"."virtualization_clustertype" using gin ("tags")`);
    this.addSql(`create table "replica"."virtualization_virtualmachine" (
      "id" bigint not null,
      "role_id" bigint null,
      "platform_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_virtualmachine_role_id_idx" on "replica"."virtualization_virtualmachine" using btree ("role_id")`);
    this.addSql(`create index "virtualization_virtualmachine_platform_id_idx" on "replica"."virtualization_virtualmachine" using btree ("platform_id")`);
  }
}
