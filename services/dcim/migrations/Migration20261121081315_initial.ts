import { Migration } from '@mikro-orm/migrations';

export class Migration20261121081315_initial extends Migration {
  override up(): void {
    this.addSql(`create schema if not exists "replica"`);
    this.addSql(`create table "replica"."extras_customfield" (
      "id" bigint not null,
      "object_types" varchar(100)[] null,
      "type" varchar(50) null,
      "related_object_type" varchar(100) null,
      "name" varchar(50) null,
      "label" varchar(50) null,
      "group_name" varchar(50) null,
      "description" varchar(200) null,
      "required" boolean null,
      "unique" boolean null,
      "search_weight" smallint null,
      "filter_logic" varchar(50) null,
      "ui_visible" varchar(50) null,
      "ui_editable" varchar(50) null,
      "is_cloneable" boolean null,
      "default" jsonb null,
      "related_object_filter" jsonb null,
      "weight" smallint null,
      "validation_minimum" numeric(16,4) null,
      "validation_maximum" numeric(16,4) null,
      "validation_regex" varchar(500) null,
      "validation_schema" jsonb null,
      "choice_set_id" bigint null,
      "owner_id" bigint null,
      "comments" text null,
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_customfield_name_idx" on "replica"."extras_customfield" using btree ("name")`);
    this.addSql(`create index "extras_customfield_choice_set_id_idx" on "replica"."extras_customfield" using btree ("choice_set_id")`);
    this.addSql(`create index "extras_customfield_owner_id_idx" on "replica"."extras_customfield" using btree ("owner_id")`);
    this.addSql(`create table "replica"."extras_customfieldchoiceset" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "base_choices" varchar(50) null,
      "extra_choices" jsonb null,
      "choice_colors" jsonb null,
      "order_alphabetically" boolean null,
      "owner_id" bigint null,
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_customfieldchoiceset_name_idx" on "replica"."extras_customfieldchoiceset" using btree ("name")`);
    this.addSql(`create index "extras_customfieldchoiceset_owner_id_idx" on "replica"."extras_customfieldchoiceset" using btree ("owner_id")`);
    this.addSql(`create table "replica"."extras_tag" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "color" varchar(6) null,
      "description" varchar(200) null,
      "weight" smallint null,
      "object_types" varchar(100)[] null,
      "owner_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_tag_slug_idx" on "replica"."extras_tag" using btree ("slug")`);
    this.addSql(`create index "extras_tag_owner_id_idx" on "replica"."extras_tag" using btree ("owner_id")`);
    this.addSql(`create table "replica"."ipam_asn" (
      "id" bigint not null,
      "asn" bigint null,
      "rir_id" bigint null,
      "role_id" bigint null,
      "tenant_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_asn_asn_idx" on "replica"."ipam_asn" using btree ("asn")`);
    this.addSql(`create index "ipam_asn_rir_id_idx" on "replica"."ipam_asn" using btree ("rir_id")`);
    this.addSql(`create index "ipam_asn_role_id_idx" on "replica"."ipam_asn" using btree ("role_id")`);
    this.addSql(`create index "ipam_asn_tenant_id_idx" on "replica"."ipam_asn" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_asn_owner_id_idx" on "replica"."ipam_asn" using btree ("owner_id")`);
    this.addSql(`create index "ipam_asn_tags_idx" on "replica"."ipam_asn" using gin ("tags")`);
    this.addSql(`create table "replica"."tenancy_tenant" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "group_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "tenancy_tenant_slug_idx" on "replica"."tenancy_tenant" using btree ("slug")`);
    this.addSql(`create index "tenancy_tenant_group_id_idx" on "replica"."tenancy_tenant" using btree ("group_id")`);
    this.addSql(`create index "tenancy_tenant_owner_id_idx" on "replica"."tenancy_tenant" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_tenant_tags_idx" on "replica"."tenancy_tenant" using gin ("tags")`);
    this.addSql(`create table "replica"."tenancy_tenantgroup" (
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
    this.addSql(`create index "tenancy_tenantgroup_slug_idx" on "replica"."tenancy_tenantgroup" using btree ("slug")`);
    this.addSql(`create index "tenancy_tenantgroup_parent_id_idx" on "replica"."tenancy_tenantgroup" using btree ("parent_id")`);
    this.addSql(`create index "tenancy_tenantgroup_tags_idx" on "replica"."tenancy_tenantgroup" using gin ("tags")`);
    this.addSql(`create index "tenancy_tenantgroup_owner_id_idx" on "replica"."tenancy_tenantgroup" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_tenantgroup__path_idx" on "replica"."tenancy_tenantgroup" using gin ("_path")`);
    this.addSql(`create table "replica"."users_owner" (
      "id" bigint not null,
      "name" varchar(100) null,
      "group_id" bigint null,
      "description" varchar(200) null,
      "user_groups" bigint[] null,
      "users" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "users_owner_name_idx" on "replica"."users_owner" using btree ("name")`);
    this.addSql(`create index "users_owner_group_id_idx" on "replica"."users_owner" using btree ("group_id")`);
    this.addSql(`create index "users_owner_user_groups_idx" on "replica"."users_owner" using gin ("user_groups")`);
    this.addSql(`create index "users_owner_users_idx" on "replica"."users_owner" using gin ("users")`);
    this.addSql(`create table "dcim_sitegroup" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "parent_id" bigint null,
      "description" varchar(200) not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "_path" bigint[] not null default '{}',
      "_sort" text[] not null default '{}',
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "dcim_sitegroup_parent_id_idx" on "dcim_sitegroup" using btree ("parent_id")`);
    this.addSql(`create index "dcim_sitegroup_tags_idx" on "dcim_sitegroup" using gin ("tags")`);
    this.addSql(`create index "dcim_sitegroup_custom_fields_idx" on "dcim_sitegroup" using gin ("custom_fields")`);
    this.addSql(`create index "dcim_sitegroup_owner_id_idx" on "dcim_sitegroup" using btree ("owner_id")`);
    this.addSql(`create index "dcim_sitegroup__path_idx" on "dcim_sitegroup" using gin ("_path")`);
    this.addSql(`create unique index "dcim_sitegroup_parent_name_uniq" on "dcim_sitegroup" ("parent_id", "name") where parent_id is not null`);
    this.addSql(`create unique index "dcim_sitegroup_name_uniq" on "dcim_sitegroup" ("name") where parent_id is null`);
    this.addSql(`create unique index "dcim_sitegroup_parent_slug_uniq" on "dcim_sitegroup" ("parent_id", "slug") where parent_id is not null`);
    this.addSql(`create unique index "dcim_sitegroup_slug_uniq" on "dcim_sitegroup" ("slug") where parent_id is null`);
    this.addSql(`create table "dcim_region" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "parent_id" bigint null,
      "description" varchar(200) not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "_path" bigint[] not null default '{}',
      "_sort" text[] not null default '{}',
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "dcim_region_parent_id_idx" on "dcim_region" using btree ("parent_id")`);
    this.addSql(`create index "dcim_region_tags_idx" on "dcim_region" using gin ("tags")`);
    this.addSql(`create index "dcim_region_custom_fields_idx" on "dcim_region" using gin ("custom_fields")`);
    this.addSql(`create index "dcim_region_owner_id_idx" on "dcim_region" using btree ("owner_id")`);
    this.addSql(`create index "dcim_region__path_idx" on "dcim_region" using gin ("_path")`);
    this.addSql(`create unique index "dcim_region_parent_name_uniq" on "dcim_region" ("parent_id", "name") where parent_id is not null`);
    this.addSql(`create unique index "dcim_region_name_uniq" on "dcim_region" ("name") where parent_id is null`);
    this.addSql(`create unique index "dcim_region_parent_slug_uniq" on "dcim_region" ("parent_id", "slug") where parent_id is not null`);
    this.addSql(`create unique index "dcim_region_slug_uniq" on "dcim_region" ("slug") where parent_id is null`);
    this.addSql(`create table "dcim_site" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "status" varchar(50) not null default 'active',
      "region_id" bigint null,
      "group_id" bigint null,
      "tenant_id" bigint null,
      "facility" varchar(50) not null default '',
      "time_zone" varchar(63) null,
      "description" varchar(200) not null default '',
      "physical_address" varchar(200) not null default '',
      "shipping_address" varchar(200) not null default '',
      "latitude" numeric(8,6) null,
      "longitude" numeric(9,6) null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "asns" bigint[] not null default '{}',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "dcim_site_region_id_idx" on "dcim_site" using btree ("region_id")`);
    this.addSql(`create index "dcim_site_group_id_idx" on "dcim_site" using btree ("group_id")`);
    this.addSql(`create index "dcim_site_tenant_id_idx" on "dcim_site" using btree ("tenant_id")`);
    this.addSql(`create index "dcim_site_owner_id_idx" on "dcim_site" using btree ("owner_id")`);
    this.addSql(`create index "dcim_site_asns_idx" on "dcim_site" using gin ("asns")`);
    this.addSql(`create index "dcim_site_tags_idx" on "dcim_site" using gin ("tags")`);
    this.addSql(`create index "dcim_site_custom_fields_idx" on "dcim_site" using gin ("custom_fields")`);
    this.addSql(`create index "dcim_site_order_idx" on "dcim_site" ("name" collate "natural", "id")`);
    this.addSql(`alter table "dcim_site" add constraint "dcim_site_name_key" unique ("name")`);
    this.addSql(`alter table "dcim_site" add constraint "dcim_site_slug_key" unique ("slug")`);
    this.addSql(`create table "replica"."users_ownergroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "users_ownergroup_name_idx" on "replica"."users_ownergroup" using btree ("name")`);
    this.addSql(`alter table "dcim_sitegroup" add constraint "dcim_sitegroup_parent_id_fk" foreign key ("parent_id") references "dcim_sitegroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_sitegroup" add constraint "dcim_sitegroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_region" add constraint "dcim_region_parent_id_fk" foreign key ("parent_id") references "dcim_region" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_region" add constraint "dcim_region_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_site" add constraint "dcim_site_region_id_fk" foreign key ("region_id") references "dcim_region" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_site" add constraint "dcim_site_group_id_fk" foreign key ("group_id") references "dcim_sitegroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_site" add constraint "dcim_site_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_site" add constraint "dcim_site_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
  }
}
