import { Migration } from '@mikro-orm/migrations';

export class Migration20261121120807_initial extends Migration {
  override up(): void {
    this.addSql(`create schema if not exists "replica"`);
    this.addSql(`create table "replica"."dcim_device" (
      "id" bigint not null,
      "name" varchar(64) null,
      "device_type_id" bigint null,
      "role_id" bigint null,
      "tenant_id" bigint null,
      "platform_id" bigint null,
      "serial" varchar(50) null,
      "asset_tag" varchar(50) null,
      "site_id" bigint null,
      "location_id" bigint null,
      "rack_id" bigint null,
      "position" numeric(4,1) null,
      "face" varchar(50) null,
      "latitude" numeric(8,6) null,
      "longitude" numeric(9,6) null,
      "status" varchar(50) null,
      "airflow" varchar(50) null,
      "primary_ip4_id" bigint null,
      "primary_ip6_id" bigint null,
      "oob_ip_id" bigint null,
      "cluster_id" bigint null,
      "virtual_chassis_id" bigint null,
      "vc_position" integer null,
      "vc_priority" smallint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "config_template_id" bigint null,
      "local_context_data" jsonb null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_device_name_idx" on "replica"."dcim_device" using btree ("name")`);
    this.addSql(`create index "dcim_device_device_type_id_idx" on "replica"."dcim_device" using btree ("device_type_id")`);
    this.addSql(`create index "dcim_device_role_id_idx" on "replica"."dcim_device" using btree ("role_id")`);
    this.addSql(`create index "dcim_device_tenant_id_idx" on "replica"."dcim_device" using btree ("tenant_id")`);
    this.addSql(`create index "dcim_device_platform_id_idx" on "replica"."dcim_device" using btree ("platform_id")`);
    this.addSql(`create index "dcim_device_site_id_idx" on "replica"."dcim_device" using btree ("site_id")`);
    this.addSql(`create index "dcim_device_location_id_idx" on "replica"."dcim_device" using btree ("location_id")`);
    this.addSql(`create index "dcim_device_rack_id_idx" on "replica"."dcim_device" using btree ("rack_id")`);
    this.addSql(`create index "dcim_device_primary_ip4_id_idx" on "replica"."dcim_device" using btree ("primary_ip4_id")`);
    this.addSql(`create index "dcim_device_primary_ip6_id_idx" on "replica"."dcim_device" using btree ("primary_ip6_id")`);
    this.addSql(`create index "dcim_device_oob_ip_id_idx" on "replica"."dcim_device" using btree ("oob_ip_id")`);
    this.addSql(`create index "dcim_device_cluster_id_idx" on "replica"."dcim_device" using btree ("cluster_id")`);
    this.addSql(`create index "dcim_device_virtual_chassis_id_idx" on "replica"."dcim_device" using btree ("virtual_chassis_id")`);
    this.addSql(`create index "dcim_device_owner_id_idx" on "replica"."dcim_device" using btree ("owner_id")`);
    this.addSql(`create index "dcim_device_config_template_id_idx" on "replica"."dcim_device" using btree ("config_template_id")`);
    this.addSql(`create index "dcim_device_tags_idx" on "replica"."dcim_device" using gin ("tags")`);
    this.addSql(`create table "replica"."dcim_devicerole" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "color" varchar(6) null,
      "vm_role" boolean null,
      "config_template_id" bigint null,
      "parent_id" bigint null,
      "description" varchar(200) null,
      "tags" bigint[] null,
      "owner_id" bigint null,
      "_path" bigint[] null,
      "_sort" text[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_devicerole_slug_idx" on "replica"."dcim_devicerole" using btree ("slug")`);
    this.addSql(`create index "dcim_devicerole_config_template_id_idx" on "replica"."dcim_devicerole" using btree ("config_template_id")`);
    this.addSql(`create index "dcim_devicerole_parent_id_idx" on "replica"."dcim_devicerole" using btree ("parent_id")`);
    this.addSql(`create index "dcim_devicerole_tags_idx" on "replica"."dcim_devicerole" using gin ("tags")`);
    this.addSql(`create index "dcim_devicerole_owner_id_idx" on "replica"."dcim_devicerole" using btree ("owner_id")`);
    this.addSql(`create index "dcim_devicerole__path_idx" on "replica"."dcim_devicerole" using gin ("_path")`);
    this.addSql(`create table "replica"."dcim_devicetype" (
      "id" bigint not null,
      "manufacturer_id" bigint null,
      "model" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_devicetype_manufacturer_id_idx" on "replica"."dcim_devicetype" using btree ("manufacturer_id")`);
    this.addSql(`create table "replica"."dcim_location" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "site_id" bigint null,
      "parent_id" bigint null,
      "status" varchar(50) null,
      "tenant_id" bigint null,
      "facility" varchar(50) null,
      "description" varchar(200) null,
      "tags" bigint[] null,
      "owner_id" bigint null,
      "_path" bigint[] null,
      "_sort" text[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_location_slug_idx" on "replica"."dcim_location" using btree ("slug")`);
    this.addSql(`create index "dcim_location_site_id_idx" on "replica"."dcim_location" using btree ("site_id")`);
    this.addSql(`create index "dcim_location_parent_id_idx" on "replica"."dcim_location" using btree ("parent_id")`);
    this.addSql(`create index "dcim_location_tenant_id_idx" on "replica"."dcim_location" using btree ("tenant_id")`);
    this.addSql(`create index "dcim_location_tags_idx" on "replica"."dcim_location" using gin ("tags")`);
    this.addSql(`create index "dcim_location_owner_id_idx" on "replica"."dcim_location" using btree ("owner_id")`);
    this.addSql(`create index "dcim_location__path_idx" on "replica"."dcim_location" using gin ("_path")`);
    this.addSql(`create table "replica"."dcim_macaddress" (
      "id" bigint not null,
      "mac_address" macaddr null,
      "assigned_object_type" varchar(100) null,
      "assigned_object_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_macaddress_mac_address_idx" on "replica"."dcim_macaddress" using btree ("mac_address")`);
    this.addSql(`create index "dcim_macaddress_owner_id_idx" on "replica"."dcim_macaddress" using btree ("owner_id")`);
    this.addSql(`create index "dcim_macaddress_tags_idx" on "replica"."dcim_macaddress" using gin ("tags")`);
    this.addSql(`create index "dcim_macaddress_assigned_object_type_assigned_object_id_idx" on "replica"."dcim_macaddress" ("assigned_object_type", "assigned_object_id")`);
    this.addSql(`create table "replica"."dcim_manufacturer" (
      "id" bigint not null,
      "name" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create table "replica"."dcim_platform" (
      "id" bigint not null,
      "parent_id" bigint null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "manufacturer_id" bigint null,
      "config_template_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_path" bigint[] null,
      "_sort" text[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_platform_parent_id_idx" on "replica"."dcim_platform" using btree ("parent_id")`);
    this.addSql(`create index "dcim_platform_slug_idx" on "replica"."dcim_platform" using btree ("slug")`);
    this.addSql(`create index "dcim_platform_manufacturer_id_idx" on "replica"."dcim_platform" using btree ("manufacturer_id")`);
    this.addSql(`create index "dcim_platform_config_template_id_idx" on "replica"."dcim_platform" using btree ("config_template_id")`);
    this.addSql(`create index "dcim_platform_owner_id_idx" on "replica"."dcim_platform" using btree ("owner_id")`);
    this.addSql(`create index "dcim_platform_tags_idx" on "replica"."dcim_platform" using gin ("tags")`);
    this.addSql(`create index "dcim_platform__path_idx" on "replica"."dcim_platform" using gin ("_path")`);
    this.addSql(`create table "replica"."dcim_rack" (
      "id" bigint not null,
      "location_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rack_location_id_idx" on "replica"."dcim_rack" using btree ("location_id")`);
    this.addSql(`create table "replica"."dcim_region" (
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
    this.addSql(`create index "dcim_region_slug_idx" on "replica"."dcim_region" using btree ("slug")`);
    this.addSql(`create index "dcim_region_parent_id_idx" on "replica"."dcim_region" using btree ("parent_id")`);
    this.addSql(`create index "dcim_region_tags_idx" on "replica"."dcim_region" using gin ("tags")`);
    this.addSql(`create index "dcim_region_owner_id_idx" on "replica"."dcim_region" using btree ("owner_id")`);
    this.addSql(`create index "dcim_region__path_idx" on "replica"."dcim_region" using gin ("_path")`);
    this.addSql(`create table "replica"."dcim_site" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "status" varchar(50) null,
      "region_id" bigint null,
      "group_id" bigint null,
      "tenant_id" bigint null,
      "facility" varchar(50) null,
      "time_zone" varchar(63) null,
      "description" varchar(200) null,
      "physical_address" varchar(200) null,
      "shipping_address" varchar(200) null,
      "latitude" numeric(8,6) null,
      "longitude" numeric(9,6) null,
      "owner_id" bigint null,
      "asns" bigint[] null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_site_slug_idx" on "replica"."dcim_site" using btree ("slug")`);
    this.addSql(`create index "dcim_site_region_id_idx" on "replica"."dcim_site" using btree ("region_id")`);
    this.addSql(`create index "dcim_site_group_id_idx" on "replica"."dcim_site" using btree ("group_id")`);
    this.addSql(`create index "dcim_site_tenant_id_idx" on "replica"."dcim_site" using btree ("tenant_id")`);
    this.addSql(`create index "dcim_site_owner_id_idx" on "replica"."dcim_site" using btree ("owner_id")`);
    this.addSql(`create index "dcim_site_asns_idx" on "replica"."dcim_site" using gin ("asns")`);
    this.addSql(`create index "dcim_site_tags_idx" on "replica"."dcim_site" using gin ("tags")`);
    this.addSql(`create table "replica"."dcim_sitegroup" (
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
    this.addSql(`create index "dcim_sitegroup_slug_idx" on "replica"."dcim_sitegroup" using btree ("slug")`);
    this.addSql(`create index "dcim_sitegroup_parent_id_idx" on "replica"."dcim_sitegroup" using btree ("parent_id")`);
    this.addSql(`create index "dcim_sitegroup_tags_idx" on "replica"."dcim_sitegroup" using gin ("tags")`);
    this.addSql(`create index "dcim_sitegroup_owner_id_idx" on "replica"."dcim_sitegroup" using btree ("owner_id")`);
    this.addSql(`create index "dcim_sitegroup__path_idx" on "replica"."dcim_sitegroup" using gin ("_path")`);
    this.addSql(`create table "replica"."dcim_virtualchassis" (
      "id" bigint not null,
      "name" varchar(64) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_virtualchassis_name_idx" on "replica"."dcim_virtualchassis" using btree ("name")`);
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
    this.addSql(`create table "replica"."extras_configtemplate" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "environment_params" jsonb null,
      "template_code" text null,
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
    this.addSql(`create table "replica"."ipam_fhrpgroupassignment" (
      "id" bigint not null,
      "interface_type" varchar(100) null,
      "interface_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_fhrpgroupassignment_interface_type_interface_id_idx" on "replica"."ipam_fhrpgroupassignment" ("interface_type", "interface_id")`);
    this.addSql(`create table "replica"."ipam_ipaddress" (
      "id" bigint not null,
      "address" inet null,
      "vrf_id" bigint null,
      "tenant_id" bigint null,
      "status" varchar(50) null,
      "role" varchar(50) null,
      "assigned_object_type" varchar(100) null,
      "assigned_object_id" bigint null,
      "nat_inside_id" bigint null,
      "dns_name" varchar(255) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_ipaddress_vrf_id_idx" on "replica"."ipam_ipaddress" using btree ("vrf_id")`);
    this.addSql(`create index "ipam_ipaddress_tenant_id_idx" on "replica"."ipam_ipaddress" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_ipaddress_nat_inside_id_idx" on "replica"."ipam_ipaddress" using btree ("nat_inside_id")`);
    this.addSql(`create index "ipam_ipaddress_owner_id_idx" on "replica"."ipam_ipaddress" using btree ("owner_id")`);
    this.addSql(`create index "ipam_ipaddress_tags_idx" on "replica"."ipam_ipaddress" using gin ("tags")`);
    this.addSql(`create index "ipam_ipaddress_assigned_object_type_assigned_object_id_idx" on "replica"."ipam_ipaddress" ("assigned_object_type", "assigned_object_id")`);
    this.addSql(`create table "replica"."ipam_vlan" (
      "id" bigint not null,
      "site_id" bigint null,
      "group_id" bigint null,
      "vid" smallint null,
      "name" varchar(64) null,
      "tenant_id" bigint null,
      "status" varchar(50) null,
      "role_id" bigint null,
      "description" varchar(200) null,
      "qinq_role" varchar(50) null,
      "qinq_svlan_id" bigint null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_vlan_site_id_idx" on "replica"."ipam_vlan" using btree ("site_id")`);
    this.addSql(`create index "ipam_vlan_group_id_idx" on "replica"."ipam_vlan" using btree ("group_id")`);
    this.addSql(`create index "ipam_vlan_name_idx" on "replica"."ipam_vlan" using btree ("name")`);
    this.addSql(`create index "ipam_vlan_tenant_id_idx" on "replica"."ipam_vlan" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_vlan_role_id_idx" on "replica"."ipam_vlan" using btree ("role_id")`);
    this.addSql(`create index "ipam_vlan_qinq_svlan_id_idx" on "replica"."ipam_vlan" using btree ("qinq_svlan_id")`);
    this.addSql(`create index "ipam_vlan_owner_id_idx" on "replica"."ipam_vlan" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vlan_tags_idx" on "replica"."ipam_vlan" using gin ("tags")`);
    this.addSql(`create table "replica"."ipam_vlantranslationpolicy" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_vlantranslationpolicy_name_idx" on "replica"."ipam_vlantranslationpolicy" using btree ("name")`);
    this.addSql(`create index "ipam_vlantranslationpolicy_owner_id_idx" on "replica"."ipam_vlantranslationpolicy" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vlantranslationpolicy_tags_idx" on "replica"."ipam_vlantranslationpolicy" using gin ("tags")`);
    this.addSql(`create table "replica"."ipam_vrf" (
      "id" bigint not null,
      "name" varchar(100) null,
      "rd" varchar(21) null,
      "tenant_id" bigint null,
      "enforce_unique" boolean null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "import_targets" bigint[] null,
      "export_targets" bigint[] null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "ipam_vrf_rd_idx" on "replica"."ipam_vrf" using btree ("rd")`);
    this.addSql(`create index "ipam_vrf_tenant_id_idx" on "replica"."ipam_vrf" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_vrf_owner_id_idx" on "replica"."ipam_vrf" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vrf_import_targets_idx" on "replica"."ipam_vrf" using gin ("import_targets")`);
    this.addSql(`create index "ipam_vrf_export_targets_idx" on "replica"."ipam_vrf" using gin ("export_targets")`);
    this.addSql(`create index "ipam_vrf_tags_idx" on "replica"."ipam_vrf" using gin ("tags")`);
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
    this.addSql(`create index "tenancy_contactassignment_object_type_object_id_idx" on "replica"."tenancy_contactassignment" ("object_type", "object_id")`);
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
    this.addSql(`create table "replica"."users_ownergroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "users_ownergroup_name_idx" on "replica"."users_ownergroup" using btree ("name")`);
    this.addSql(`create table "virtualization_clustergroup" (
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
    this.addSql(`create index "virtualization_clustergroup_owner_id_idx" on "virtualization_clustergroup" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_clustergroup_tags_idx" on "virtualization_clustergroup" using gin ("tags")`);
    this.addSql(`create index "virtualization_clustergroup_custom_fields_idx" on "virtualization_clustergroup" using gin ("custom_fields")`);
    this.addSql(`create index "virtualization_clustergroup_order_idx" on "virtualization_clustergroup" ("name" collate "natural", "id")`);
    this.addSql(`alter table "virtualization_clustergroup" add constraint "virtualization_clustergroup_name_key" unique ("name")`);
    this.addSql(`alter table "virtualization_clustergroup" add constraint "virtualization_clustergroup_slug_key" unique ("slug")`);
    this.addSql(`create table "virtualization_clustertype" (
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
    this.addSql(`create index "virtualization_clustertype_owner_id_idx" on "virtualization_clustertype" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_clustertype_tags_idx" on "virtualization_clustertype" using gin ("tags")`);
    this.addSql(`create index "virtualization_clustertype_custom_fields_idx" on "virtualization_clustertype" using gin ("custom_fields")`);
    this.addSql(`create index "virtualization_clustertype_order_idx" on "virtualization_clustertype" ("name" collate "natural", "id")`);
    this.addSql(`alter table "virtualization_clustertype" add constraint "virtualization_clustertype_name_key" unique ("name")`);
    this.addSql(`alter table "virtualization_clustertype" add constraint "virtualization_clustertype_slug_key" unique ("slug")`);
    this.addSql(`create table "virtualization_cluster" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "type_id" bigint not null,
      "group_id" bigint null,
      "status" varchar(50) not null default 'active',
      "tenant_id" bigint null,
      "scope_type" varchar(100) null,
      "scope_id" bigint null,
      "_site_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "virtualization_cluster_type_id_idx" on "virtualization_cluster" using btree ("type_id")`);
    this.addSql(`create index "virtualization_cluster_group_id_idx" on "virtualization_cluster" using btree ("group_id")`);
    this.addSql(`create index "virtualization_cluster_tenant_id_idx" on "virtualization_cluster" using btree ("tenant_id")`);
    this.addSql(`create index "virtualization_cluster__site_id_idx" on "virtualization_cluster" using btree ("_site_id")`);
    this.addSql(`create index "virtualization_cluster_owner_id_idx" on "virtualization_cluster" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_cluster_tags_idx" on "virtualization_cluster" using gin ("tags")`);
    this.addSql(`create index "virtualization_cluster_custom_fields_idx" on "virtualization_cluster" using gin ("custom_fields")`);
    this.addSql(`create unique index "virtualization_cluster_group_name_uniq" on "virtualization_cluster" ("group_id", "name") where group_id is not null`);
    this.addSql(`create unique index "virtualization_cluster__site_name_uniq" on "virtualization_cluster" ("_site_id", "name") where _site_id is not null`);
    this.addSql(`create index "virtualization_cluster_scope_type_scope_id_idx" on "virtualization_cluster" ("scope_type", "scope_id")`);
    this.addSql(`create index "virtualization_cluster_order_idx" on "virtualization_cluster" ("name" collate "natural", "id")`);
    this.addSql(`create table "virtualization_virtualmachinetype" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "default_platform_id" bigint null,
      "default_vcpus" numeric(6,2) null,
      "default_memory" integer null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "virtualization_virtualmachinetype_default_platform_id_idx" on "virtualization_virtualmachinetype" using btree ("default_platform_id")`);
    this.addSql(`create index "virtualization_virtualmachinetype_owner_id_idx" on "virtualization_virtualmachinetype" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_virtualmachinetype_tags_idx" on "virtualization_virtualmachinetype" using gin ("tags")`);
    this.addSql(`create index "virtualization_virtualmachinetype_custom_fields_idx" on "virtualization_virtualmachinetype" using gin ("custom_fields")`);
    this.addSql(`create unique index "virtualization_virtualmachinetype_name_uniq" on "virtualization_virtualmachinetype" (lower("name")) nulls not distinct`);
    this.addSql(`create index "virtualization_virtualmachinetype_order_idx" on "virtualization_virtualmachinetype" ("name" collate "natural", "id")`);
    this.addSql(`alter table "virtualization_virtualmachinetype" add constraint "virtualization_virtualmachinetype_slug_key" unique ("slug")`);
    this.addSql(`create table "virtualization_virtualmachine" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(64) not null default '',
      "virtual_machine_type_id" bigint null,
      "role_id" bigint null,
      "status" varchar(50) not null default 'active',
      "start_on_boot" varchar(32) not null default 'off',
      "site_id" bigint null,
      "cluster_id" bigint null,
      "device_id" bigint null,
      "platform_id" bigint null,
      "primary_ip4_id" bigint null,
      "primary_ip6_id" bigint null,
      "vcpus" numeric(6,2) null,
      "memory" integer null,
      "disk" integer null,
      "description" varchar(200) not null default '',
      "serial" varchar(50) not null default '',
      "tenant_id" bigint null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "local_context_data" jsonb null,
      "config_template_id" bigint null,
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "virtualization_virtualmachine_virtual_machine_type_id_idx" on "virtualization_virtualmachine" using btree ("virtual_machine_type_id")`);
    this.addSql(`create index "virtualization_virtualmachine_role_id_idx" on "virtualization_virtualmachine" using btree ("role_id")`);
    this.addSql(`create index "virtualization_virtualmachine_site_id_idx" on "virtualization_virtualmachine" using btree ("site_id")`);
    this.addSql(`create index "virtualization_virtualmachine_cluster_id_idx" on "virtualization_virtualmachine" using btree ("cluster_id")`);
    this.addSql(`create index "virtualization_virtualmachine_device_id_idx" on "virtualization_virtualmachine" using btree ("device_id")`);
    this.addSql(`create index "virtualization_virtualmachine_platform_id_idx" on "virtualization_virtualmachine" using btree ("platform_id")`);
    this.addSql(`create index "virtualization_virtualmachine_tenant_id_idx" on "virtualization_virtualmachine" using btree ("tenant_id")`);
    this.addSql(`create index "virtualization_virtualmachine_owner_id_idx" on "virtualization_virtualmachine" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_virtualmachine_config_template_id_idx" on "virtualization_virtualmachine" using btree ("config_template_id")`);
    this.addSql(`create index "virtualization_virtualmachine_tags_idx" on "virtualization_virtualmachine" using gin ("tags")`);
    this.addSql(`create index "virtualization_virtualmachine_custom_fields_idx" on "virtualization_virtualmachine" using gin ("custom_fields")`);
    this.addSql(`create unique index "virtualization_virtualmachine_name_cluster_tenant_uniq" on "virtualization_virtualmachine" (lower("name"), "cluster_id", "tenant_id") where cluster_id is not null and tenant_id is not null`);
    this.addSql(`create unique index "virtualization_virtualmachine_name_cluster_uniq" on "virtualization_virtualmachine" (lower("name"), "cluster_id") where cluster_id is not null and tenant_id is null`);
    this.addSql(`create unique index "virtualization_virtualmachine_name_device_tenant_uniq" on "virtualization_virtualmachine" (lower("name"), "device_id", "tenant_id") where cluster_id is null and device_id is not null and tenant_id is not null`);
    this.addSql(`create unique index "virtualization_virtualmachine_name_device_uniq" on "virtualization_virtualmachine" (lower("name"), "device_id") where cluster_id is null and device_id is not null and tenant_id is null`);
    this.addSql(`create index "virtualization_virtualmachine_order_idx" on "virtualization_virtualmachine" ("name" collate "natural", "id")`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_primary_ip4_id_key" unique ("primary_ip4_id")`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_primary_ip6_id_key" unique ("primary_ip6_id")`);
    this.addSql(`create table "virtualization_virtualdisk" (
      "id" bigint generated by default as identity not null primary key,
      "virtual_machine_id" bigint not null,
      "name" varchar(64) not null default '',
      "description" varchar(200) not null default '',
      "size" integer not null,
      "owner_id" bigint null,
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "virtualization_virtualdisk_virtual_machine_id_idx" on "virtualization_virtualdisk" using btree ("virtual_machine_id")`);
    this.addSql(`create index "virtualization_virtualdisk_owner_id_idx" on "virtualization_virtualdisk" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_virtualdisk_tags_idx" on "virtualization_virtualdisk" using gin ("tags")`);
    this.addSql(`create index "virtualization_virtualdisk_custom_fields_idx" on "virtualization_virtualdisk" using gin ("custom_fields")`);
    this.addSql(`create unique index "virtualization_virtualdisk_virtual_machine_name_uniq" on "virtualization_virtualdisk" ("virtual_machine_id", "name") nulls not distinct`);
    this.addSql(`create index "virtualization_virtualdisk_order_idx" on "virtualization_virtualdisk" ("virtual_machine_id", "name" collate "natural", "id")`);
    this.addSql(`create table "virtualization_vminterface" (
      "id" bigint generated by default as identity not null primary key,
      "virtual_machine_id" bigint not null,
      "name" varchar(64) not null default '',
      "_name" varchar(100) not null default '',
      "enabled" boolean not null default true,
      "parent_id" bigint null,
      "bridge_id" bigint null,
      "mtu" integer null,
      "primary_mac_address_id" bigint null,
      "description" varchar(200) not null default '',
      "mode" varchar(50) null,
      "untagged_vlan_id" bigint null,
      "tagged_vlans" bigint[] not null default '{}',
      "qinq_svlan_id" bigint null,
      "vlan_translation_policy_id" bigint null,
      "vrf_id" bigint null,
      "owner_id" bigint null,
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "virtualization_vminterface_virtual_machine_id_idx" on "virtualization_vminterface" using btree ("virtual_machine_id")`);
    this.addSql(`create index "virtualization_vminterface_parent_id_idx" on "virtualization_vminterface" using btree ("parent_id")`);
    this.addSql(`create index "virtualization_vminterface_bridge_id_idx" on "virtualization_vminterface" using btree ("bridge_id")`);
    this.addSql(`create index "virtualization_vminterface_primary_mac_address_id_idx" on "virtualization_vminterface" using btree ("primary_mac_address_id")`);
    this.addSql(`create index "virtualization_vminterface_untagged_vlan_id_idx" on "virtualization_vminterface" using btree ("untagged_vlan_id")`);
    this.addSql(`create index "virtualization_vminterface_tagged_vlans_idx" on "virtualization_vminterface" using gin ("tagged_vlans")`);
    this.addSql(`create index "virtualization_vminterface_qinq_svlan_id_idx" on "virtualization_vminterface" using btree ("qinq_svlan_id")`);
    this.addSql(`create index "virtualization_vminterface_vlan_translation_policy_id_idx" on "virtualization_vminterface" using btree ("vlan_translation_policy_id")`);
    this.addSql(`create index "virtualization_vminterface_vrf_id_idx" on "virtualization_vminterface" using btree ("vrf_id")`);
    this.addSql(`create index "virtualization_vminterface_owner_id_idx" on "virtualization_vminterface" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_vminterface_tags_idx" on "virtualization_vminterface" using gin ("tags")`);
    this.addSql(`create index "virtualization_vminterface_custom_fields_idx" on "virtualization_vminterface" using gin ("custom_fields")`);
    this.addSql(`create unique index "virtualization_vminterface_virtual_machine_name_uniq" on "virtualization_vminterface" ("virtual_machine_id", "name") nulls not distinct`);
    this.addSql(`create unique index "virtualization_vminterface_primary_mac_address_uniq" on "virtualization_vminterface" ("primary_mac_address_id") where primary_mac_address_id is not null`);
    this.addSql(`create index "virtualization_vminterface_order_idx" on "virtualization_vminterface" ("virtual_machine_id", "_name", "id")`);
    this.addSql(`alter table "virtualization_clustergroup" add constraint "virtualization_clustergroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_clustertype" add constraint "virtualization_clustertype_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_cluster" add constraint "virtualization_cluster_type_id_fk" foreign key ("type_id") references "virtualization_clustertype" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_cluster" add constraint "virtualization_cluster_group_id_fk" foreign key ("group_id") references "virtualization_clustergroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_cluster" add constraint "virtualization_cluster_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_cluster" add constraint "virtualization_cluster__site_id_fk" foreign key ("_site_id") references "replica"."dcim_site" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_cluster" add constraint "virtualization_cluster_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachinetype" add constraint "virtualization_virtualmachinetype_default_platform_id_fk" foreign key ("default_platform_id") references "replica"."dcim_platform" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachinetype" add constraint "virtualization_virtualmachinetype_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_virtual_machine_type_id_fk" foreign key ("virtual_machine_type_id") references "virtualization_virtualmachinetype" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_role_id_fk" foreign key ("role_id") references "replica"."dcim_devicerole" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_site_id_fk" foreign key ("site_id") references "replica"."dcim_site" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_cluster_id_fk" foreign key ("cluster_id") references "virtualization_cluster" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_device_id_fk" foreign key ("device_id") references "replica"."dcim_device" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_platform_id_fk" foreign key ("platform_id") references "replica"."dcim_platform" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_primary_ip4_id_fk" foreign key ("primary_ip4_id") references "replica"."ipam_ipaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_primary_ip6_id_fk" foreign key ("primary_ip6_id") references "replica"."ipam_ipaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_config_template_id_fk" foreign key ("config_template_id") references "replica"."extras_configtemplate" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualdisk" add constraint "virtualization_virtualdisk_virtual_machine_id_fk" foreign key ("virtual_machine_id") references "virtualization_virtualmachine" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualdisk" add constraint "virtualization_virtualdisk_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_virtual_machine_id_fk" foreign key ("virtual_machine_id") references "virtualization_virtualmachine" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_parent_id_fk" foreign key ("parent_id") references "virtualization_vminterface" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_bridge_id_fk" foreign key ("bridge_id") references "virtualization_vminterface" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_primary_mac_address_id_fk" foreign key ("primary_mac_address_id") references "replica"."dcim_macaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_untagged_vlan_id_fk" foreign key ("untagged_vlan_id") references "replica"."ipam_vlan" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_qinq_svlan_id_fk" foreign key ("qinq_svlan_id") references "replica"."ipam_vlan" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_vlan_translation_policy_id_fk" foreign key ("vlan_translation_policy_id") references "replica"."ipam_vlantranslationpolicy" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_vrf_id_fk" foreign key ("vrf_id") references "replica"."ipam_vrf" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
  }
}
