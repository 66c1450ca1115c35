import { Migration } from '@mikro-orm/migrations';

export class Migration20261121103352_add_contacts extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."tenancy_contact" (
      "id" bigint not null,
      "groups" bigint[] null,
      "name" varchar(100) null,
      "title" varchar(100) null,
      "phone" varchar(50) null,
      "email" varchar(254) null,
      "address" varchar(200) null,
      "link" varchar(200) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "tenancy_contact_groups_idx" on "replica"."tenancy_contact" using gin ("groups")`);
    this.addSql(`create index "tenancy_contact_name_idx" on "replica"."tenancy_contact" using btree ("name")`);
    this.addSql(`create index "tenancy_contact_owner_id_idx" on "replica"."tenancy_contact" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_contact_tags_idx" on "replica"."tenancy_contact" using gin ("tags")`);
    this.addSql(`create table "replica"."tenancy_contactassignment" (
      "id" bigint not null,
      "object_type" varchar(100) null,
      "object_id" bigint null,
      "contact_id" bigint null,
      "role_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "tenancy_contactassignment_contact_id_idx" on "replica"."tenancy_contactassignment" using btree ("contact_id")`);
    this.addSql(`create index "tenancy_contactassignment_role_id_idx" on "replica"."tenancy_contactassignment" using btree ("role_id")`);
    this.addSql(`create table "replica"."tenancy_contactgroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "parent_id" bigint null,
      "description" varchar(200) null,
      "tags" bigint[] null,
      "owner_id" bigint null,
      "_path" bigint[] null,
      "_sort" text[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "tenancy_contactgroup_slug_idx" on "replica"."tenancy_contactgroup" using btree ("slug")`);
    this.addSql(`create index "tenancy_contactgroup_parent_id_idx" on "replica"."tenancy_contactgroup" using btree ("parent_id")`);
    this.addSql(`create index "tenancy_contactgroup_tags_idx" on "replica"."tenancy_contactgroup" using gin ("tags")`);
    this.addSql(`create index "tenancy_contactgroup_owner_id_idx" on "replica"."tenancy_contactgroup" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_contactgroup__path_idx" on "replica"."tenancy_contactgroup" using gin ("_path")`);
    this.addSql(`create table "replica"."tenancy_contactrole" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "tenancy_contactrole_slug_idx" on "replica"."tenancy_contactrole" using btree ("slug")`);
    this.addSql(`create index "tenancy_contactrole_owner_id_idx" on "replica"."tenancy_contactrole" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_contactrole_tags_idx" on "replica"."tenancy_contactrole" using gin ("tags")`);
  }
}
