import { Migration } from '@mikro-orm/migrations';

export class Migration20261121120808_initial extends Migration {
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
    this.addSql(`create table "replica"."extras_notificationgroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "groups" bigint[] null,
      "users" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_notificationgroup_name_idx" on "replica"."extras_notificationgroup" using btree ("name")`);
    this.addSql(`create index "extras_notificationgroup_groups_idx" on "replica"."extras_notificationgroup" using gin ("groups")`);
    this.addSql(`create index "extras_notificationgroup_users_idx" on "replica"."extras_notificationgroup" using gin ("users")`);
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
    this.addSql(`create table "extras_webhook" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(150) not null default '',
      "description" varchar(200) not null default '',
      "payload_url" varchar(500) not null default '',
      "http_method" varchar(30) not null default 'POST',
      "http_content_type" varchar(100) not null default 'application/json',
      "additional_headers" text not null default '',
      "body_template" text not null default '',
      "secret" varchar(255) not null default '',
      "ssl_verification" boolean not null default true,
      "ca_file_path" varchar(4096) null,
      "custom_fields" jsonb not null default '{}',
      "owner_id" bigint null,
      "tags" bigint[] not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "extras_webhook_custom_fields_idx" on "extras_webhook" using gin ("custom_fields")`);
    this.addSql(`create index "extras_webhook_owner_id_idx" on "extras_webhook" using btree ("owner_id")`);
    this.addSql(`create index "extras_webhook_tags_idx" on "extras_webhook" using gin ("tags")`);
    this.addSql(`create index "extras_webhook_order_idx" on "extras_webhook" ("name" collate "natural", "id")`);
    this.addSql(`alter table "extras_webhook" add constraint "extras_webhook_name_key" unique ("name")`);
    this.addSql(`create table "extras_eventrule" (
      "id" bigint generated by default as identity not null primary key,
      "object_types" varchar(100)[] not null default '{}',
      "name" varchar(150) not null default '',
      "enabled" boolean not null default true,
      "event_types" varchar(50)[] not null default '{}',
      "conditions" jsonb null,
      "action_type" varchar(30) not null default '',
      "action_object_type" varchar(100) not null,
      "action_object_id" bigint null,
      "description" varchar(200) not null default '',
      "custom_fields" jsonb not null default '{}',
      "owner_id" bigint null,
      "tags" bigint[] not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "action_data" jsonb null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "extras_eventrule_custom_fields_idx" on "extras_eventrule" using gin ("custom_fields")`);
    this.addSql(`create index "extras_eventrule_owner_id_idx" on "extras_eventrule" using btree ("owner_id")`);
    this.addSql(`create index "extras_eventrule_tags_idx" on "extras_eventrule" using gin ("tags")`);
    this.addSql(`create index "extras_eventrule_action_object_type_action_object_id_idx" on "extras_eventrule" ("action_object_type", "action_object_id")`);
    this.addSql(`create index "extras_eventrule_order_idx" on "extras_eventrule" ("name" collate "natural", "id")`);
    this.addSql(`alter table "extras_eventrule" add constraint "extras_eventrule_name_key" unique ("name")`);
    this.addSql(`create table "replica"."users_ownergroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "users_ownergroup_name_idx" on "replica"."users_ownergroup" using btree ("name")`);
    this.addSql(`alter table "extras_webhook" add constraint "extras_webhook_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "extras_eventrule" add constraint "extras_eventrule_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
  }
}
