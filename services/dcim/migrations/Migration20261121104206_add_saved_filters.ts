import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104206_add_saved_filters extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."extras_configtemplate" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "environment_params" jsonb null,
      "mime_type" varchar(50) null,
      "file_name" varchar(200) null,
      "file_extension" varchar(15) null,
      "as_attachment" boolean null,
      "debug" boolean null,
      "data_source_id" bigint null,
      "data_path" varchar(1000) null,
      "data_file_id" bigint null,
      "auto_sync_enabled" boolean null,
      "data_synced" timestamptz null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_configtemplate_name_idx" on "replica"."extras_configtemplate" using btree ("name")`);
    this.addSql(`create index "extras_configtemplate_data_source_id_idx" on "replica"."extras_configtemplate" using btree ("data_source_id")`);
    this.addSql(`create index "extras_configtemplate_data_file_id_idx" on "replica"."extras_configtemplate" using btree ("data_file_id")`);
    this.addSql(`create index "extras_configtemplate_owner_id_idx" on "replica"."extras_configtemplate" using btree ("owner_id")`);
    this.addSql(`create index "extras_configtemplate_tags_idx" on "replica"."extras_configtemplate" using gin ("tags")`);
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
    this.addSql(`alter table "dcim_platform" add constraint "dcim_platform_config_template_id_fk" foreign key ("config_template_id") references "replica"."extras_configtemplate" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_devicerole" add constraint "dcim_devicerole_config_template_id_fk" foreign key ("config_template_id") references "replica"."extras_configtemplate" ("id") on update no action on delete no action`);
  }
}
