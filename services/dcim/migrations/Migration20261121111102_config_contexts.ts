import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111102_config_contexts extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."extras_configcontext" (
      "id" bigint not null,
      "name" varchar(100) null,
      "weight" smallint null,
      "profile_id" bigint null,
      "description" varchar(200) null,
      "is_active" boolean null,
      "regions" bigint[] null,
      "site_groups" bigint[] null,
      "sites" bigint[] null,
      "locations" bigint[] null,
      "device_types" bigint[] null,
      "roles" bigint[] null,
      "platforms" bigint[] null,
      "cluster_types" bigint[] null,
      "cluster_groups" bigint[] null,
      "clusters" bigint[] null,
      "tenant_groups" bigint[] null,
      "tenants" bigint[] null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "data_source_id" bigint null,
      "data_path" varchar(1000) null,
      "data_file_id" bigint null,
      "auto_sync_enabled" boolean null,
      "data_synced" timestamptz null,
      "data" jsonb null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_configcontext_name_idx" on "replica"."extras_configcontext" using btree ("name")`);
    this.addSql(`create index "extras_configcontext_profile_id_idx" on "replica"."extras_configcontext" using btree ("profile_id")`);
    this.addSql(`create index "extras_configcontext_regions_idx" on "replica"."extras_configcontext" using gin ("regions")`);
    this.addSql(`create index "extras_configcontext_site_groups_idx" on "replica"."extras_configcontext" using gin ("site_groups")`);
    this.addSql(`create index "extras_configcontext_sites_idx" on "replica"."extras_configcontext" using gin ("sites")`);
    this.addSql(`create index "extras_configcontext_locations_idx" on "replica"."extras_configcontext" using gin ("locations")`);
    this.addSql(`create index "extras_configcontext_device_types_idx" on "replica"."extras_configcontext" using gin ("device_types")`);
    this.addSql(`create index "extras_configcontext_roles_idx" on "replica"."extras_configcontext" using gin ("roles")`);
    this.addSql(`create index "extras_configcontext_platforms_idx" on "replica"."extras_configcontext" using gin ("platforms")`);
    this.addSql(`create index "extras_configcontext_cluster_types_idx" on "replica"."extras_configcontext" using gin ("cluster_types")`);
    this.addSql(`create index "extras_configcontext_cluster_groups_idx" on "replica"."extras_configcontext" using gin ("cluster_groups")`);
    this.addSql(`create index "extras_configcontext_clusters_idx" on "replica"."extras_configcontext" using gin ("clusters")`);
    this.addSql(`create index "extras_configcontext_tenant_groups_idx" on "replica"."extras_configcontext" using gin ("tenant_groups")`);
    this.addSql(`create index "extras_configcontext_tenants_idx" on "replica"."extras_configcontext" using gin ("tenants")`);
    this.addSql(`create index "extras_configcontext_owner_id_idx" on "replica"."extras_configcontext" using btree ("owner_id")`);
    this.addSql(`create index "extras_configcontext_tags_idx" on "replica"."extras_configcontext" using gin ("tags")`);
    this.addSql(`create index "extras_configcontext_data_source_id_idx" on "replica"."extras_configcontext" using btree ("data_source_id")`);
    this.addSql(`create index "extras_configcontext_data_file_id_idx" on "replica"."extras_configcontext" using btree ("data_file_id")`);
    this.addSql(`alter table "replica"."extras_configtemplate" add "template_code" text null`);
    this.addSql(`alter table "replica"."virtualization_virtualmachine" add "local_context_data" jsonb null`);
    this.addSql(`alter table "replica"."virtualization_vminterface" add "_name" varchar(100) null`);
  }
}
