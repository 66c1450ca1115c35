import { Migration } from '@mikro-orm/migrations';

export class Migration20261121120807_initial extends Migration {
  override up(): void {
    this.addSql(`create schema if not exists "replica"`);
    this.addSql(`create table "replica"."any_object" (
      "type" integer not null,
      "id" bigint not null,
      "version" integer not null,
      "display" text not null,
      "brief" jsonb not null,
      "tags" bigint[] not null default '{}',
      primary key ("type", "id")
    )`);
    this.addSql(`create index "any_object_tags_idx" on "replica"."any_object" using gin ("tags")`);
    this.addSql(`create table "replica"."circuits_circuit" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_circuit_tenant_id_idx" on "replica"."circuits_circuit" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."dcim_device" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_device_tenant_id_idx" on "replica"."dcim_device" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."dcim_rack" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rack_tenant_id_idx" on "replica"."dcim_rack" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."dcim_site" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_site_tenant_id_idx" on "replica"."dcim_site" using btree ("tenant_id")`);
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
    this.addSql(`create table "replica"."extras_exporttemplate" (
      "id" bigint not null,
      "object_types" varchar(100)[] null,
      "name" varchar(100) null,
      "environment_params" jsonb null,
      "template_code" text null,
      "mime_type" varchar(50) null,
      "file_name" varchar(200) null,
      "file_extension" varchar(15) null,
      "as_attachment" boolean null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_exporttemplate_name_idx" on "replica"."extras_exporttemplate" using btree ("name")`);
    this.addSql(`create table "replica"."extras_savedfilter" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "user_id" bigint null,
      "weight" smallint null,
      "enabled" boolean null,
      "shared" boolean null,
      "parameters" jsonb null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_savedfilter_slug_idx" on "replica"."extras_savedfilter" using btree ("slug")`);
    this.addSql(`create index "extras_savedfilter_user_id_idx" on "replica"."extras_savedfilter" using btree ("user_id")`);
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
    this.addSql(`create table "replica"."ipam_ipaddress" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_ipaddress_tenant_id_idx" on "replica"."ipam_ipaddress" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."ipam_prefix" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_prefix_tenant_id_idx" on "replica"."ipam_prefix" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."ipam_vlan" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_vlan_tenant_id_idx" on "replica"."ipam_vlan" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."ipam_vrf" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_vrf_tenant_id_idx" on "replica"."ipam_vrf" using btree ("tenant_id")`);
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
    this.addSql(`create table "replica"."users_ownergroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "users_ownergroup_name_idx" on "replica"."users_ownergroup" using btree ("name")`);
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
    this.addSql(`create table "tenancy_contact" (
      "id" bigint generated by default as identity not null primary key,
      "groups" bigint[] not null default '{}',
      "name" varchar(100) not null default '',
      "title" varchar(100) not null default '',
      "phone" varchar(50) not null default '',
      "email" varchar(254) not null default '',
      "address" varchar(200) not null default '',
      "link" varchar(200) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "tenancy_contact_groups_idx" on "tenancy_contact" using gin ("groups")`);
    this.addSql(`create index "tenancy_contact_owner_id_idx" on "tenancy_contact" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_contact_tags_idx" on "tenancy_contact" using gin ("tags")`);
    this.addSql(`create index "tenancy_contact_custom_fields_idx" on "tenancy_contact" using gin ("custom_fields")`);
    this.addSql(`create index "tenancy_contact_order_idx" on "tenancy_contact" ("name" collate "natural", "id")`);
    this.addSql(`create table "tenancy_contactgroup" (
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
    this.addSql(`create index "tenancy_contactgroup_parent_id_idx" on "tenancy_contactgroup" using btree ("parent_id")`);
    this.addSql(`create index "tenancy_contactgroup_tags_idx" on "tenancy_contactgroup" using gin ("tags")`);
    this.addSql(`create index "tenancy_contactgroup_custom_fields_idx" on "tenancy_contactgroup" using gin ("custom_fields")`);
    this.addSql(`create index "tenancy_contactgroup_owner_id_idx" on "tenancy_contactgroup" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_contactgroup__path_idx" on "tenancy_contactgroup" using gin ("_path")`);
    this.addSql(`create unique index "tenancy_contactgroup_parent_name_uniq" on "tenancy_contactgroup" ("parent_id", "name") where parent_id is not null`);
    this.addSql(`create index "tenancy_contactgroup_order_idx" on "tenancy_contactgroup" ("name" collate "natural", "id")`);
    this.addSql(`create table "tenancy_contactrole" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "tenancy_contactrole_owner_id_idx" on "tenancy_contactrole" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_contactrole_tags_idx" on "tenancy_contactrole" using gin ("tags")`);
    this.addSql(`create index "tenancy_contactrole_custom_fields_idx" on "tenancy_contactrole" using gin ("custom_fields")`);
    this.addSql(`create index "tenancy_contactrole_order_idx" on "tenancy_contactrole" ("name" collate "natural", "id")`);
    this.addSql(`alter table "tenancy_contactrole" add constraint "tenancy_contactrole_name_key" unique ("name")`);
    this.addSql(`alter table "tenancy_contactrole" add constraint "tenancy_contactrole_slug_key" unique ("slug")`);
    this.addSql(`create table "tenancy_contactassignment" (
      "id" bigint generated by default as identity not null primary key,
      "object_type" varchar(100) not null,
      "object_id" bigint not null,
      "contact_id" bigint not null,
      "role_id" bigint null,
      "priority" varchar(50) not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "tenancy_contactassignment_contact_id_idx" on "tenancy_contactassignment" using btree ("contact_id")`);
    this.addSql(`create index "tenancy_contactassignment_role_id_idx" on "tenancy_contactassignment" using btree ("role_id")`);
    this.addSql(`create index "tenancy_contactassignment_tags_idx" on "tenancy_contactassignment" using gin ("tags")`);
    this.addSql(`create index "tenancy_contactassignment_custom_fields_idx" on "tenancy_contactassignment" using gin ("custom_fields")`);
    this.addSql(`create unique index "tenancy_contactassignment_object_type_object_id_c_64b9be8e_uniq" on "tenancy_contactassignment" ("object_type", "object_id", "contact_id", "role_id") where role_id is not null`);
    this.addSql(`create index "tenancy_contactassignment_object_type_object_id_idx" on "tenancy_contactassignment" ("object_type", "object_id")`);
    this.addSql(`create table "tenancy_tenantgroup" (
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
    this.addSql(`create index "tenancy_tenantgroup_parent_id_idx" on "tenancy_tenantgroup" using btree ("parent_id")`);
    this.addSql(`create index "tenancy_tenantgroup_tags_idx" on "tenancy_tenantgroup" using gin ("tags")`);
    this.addSql(`create index "tenancy_tenantgroup_custom_fields_idx" on "tenancy_tenantgroup" using gin ("custom_fields")`);
    this.addSql(`create index "tenancy_tenantgroup_owner_id_idx" on "tenancy_tenantgroup" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_tenantgroup__path_idx" on "tenancy_tenantgroup" using gin ("_path")`);
    this.addSql(`create index "tenancy_tenantgroup_order_idx" on "tenancy_tenantgroup" ("name" collate "natural", "id")`);
    this.addSql(`alter table "tenancy_tenantgroup" add constraint "tenancy_tenantgroup_name_key" unique ("name")`);
    this.addSql(`alter table "tenancy_tenantgroup" add constraint "tenancy_tenantgroup_slug_key" unique ("slug")`);
    this.addSql(`create table "tenancy_tenant" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "group_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "tenancy_tenant_group_id_idx" on "tenancy_tenant" using btree ("group_id")`);
    this.addSql(`create index "tenancy_tenant_owner_id_idx" on "tenancy_tenant" using btree ("owner_id")`);
    this.addSql(`create index "tenancy_tenant_tags_idx" on "tenancy_tenant" using gin ("tags")`);
    this.addSql(`create index "tenancy_tenant_custom_fields_idx" on "tenancy_tenant" using gin ("custom_fields")`);
    this.addSql(`create unique index "tenancy_tenant_group_name_uniq" on "tenancy_tenant" ("group_id", "name") where group_id is not null`);
    this.addSql(`create unique index "tenancy_tenant_name_uniq" on "tenancy_tenant" ("name") where group_id is null`);
    this.addSql(`create unique index "tenancy_tenant_group_slug_uniq" on "tenancy_tenant" ("group_id", "slug") where group_id is not null`);
    this.addSql(`create unique index "tenancy_tenant_slug_uniq" on "tenancy_tenant" ("slug") where group_id is null`);
    this.addSql(`create index "tenancy_tenant_order_idx" on "tenancy_tenant" ("name" collate "natural", "id")`);
    this.addSql(`alter table "tenancy_contact" add constraint "tenancy_contact_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_contactgroup" add constraint "tenancy_contactgroup_parent_id_fk" foreign key ("parent_id") references "tenancy_contactgroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_contactgroup" add constraint "tenancy_contactgroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_contactrole" add constraint "tenancy_contactrole_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_contactassignment" add constraint "tenancy_contactassignment_contact_id_fk" foreign key ("contact_id") references "tenancy_contact" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_contactassignment" add constraint "tenancy_contactassignment_role_id_fk" foreign key ("role_id") references "tenancy_contactrole" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_tenantgroup" add constraint "tenancy_tenantgroup_parent_id_fk" foreign key ("parent_id") references "tenancy_tenantgroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_tenantgroup" add constraint "tenancy_tenantgroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_tenant" add constraint "tenancy_tenant_group_id_fk" foreign key ("group_id") references "tenancy_tenantgroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "tenancy_tenant" add constraint "tenancy_tenant_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
  }
}
