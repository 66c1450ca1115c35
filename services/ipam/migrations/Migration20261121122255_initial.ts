import { Migration } from '@mikro-orm/migrations';

export class Migration20261121122255_initial extends Migration {
  override up(): void {
    this.addSql(`create schema if not exists "replica"`);
    this.addSql(`create table "replica"."circuits_provider" (
      "id" bigint not null,
      "asns" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_provider_asns_idx" on "replica"."circuits_provider" using gin ("asns")`);
    this.addSql(`create table "replica"."dcim_cable" (
      "id" bigint not null,
      "type" varchar(50) null,
      "status" varchar(50) null,
      "profile" varchar(50) null,
      "tenant_id" bigint null,
      "bundle_id" bigint null,
      "label" varchar(100) null,
      "color" varchar(6) null,
      "length" numeric(8,2) null,
      "length_unit" varchar(50) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_abs_length" numeric(13,4) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_cable_tenant_id_idx" on "replica"."dcim_cable" using btree ("tenant_id")`);
    this.addSql(`create index "dcim_cable_bundle_id_idx" on "replica"."dcim_cable" using btree ("bundle_id")`);
    this.addSql(`create index "dcim_cable_owner_id_idx" on "replica"."dcim_cable" using btree ("owner_id")`);
    this.addSql(`create index "dcim_cable_tags_idx" on "replica"."dcim_cable" using gin ("tags")`);
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
    this.addSql(`create table "replica"."dcim_devicetype" (
      "id" bigint not null,
      "manufacturer_id" bigint null,
      "model" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_devicetype_manufacturer_id_idx" on "replica"."dcim_devicetype" using btree ("manufacturer_id")`);
    this.addSql(`create table "replica"."dcim_interface" (
      "id" bigint not null,
      "device_id" bigint null,
      "name" varchar(64) null,
      "label" varchar(64) null,
      "module_id" bigint null,
      "vdcs" bigint[] null,
      "_name" varchar(100) null,
      "type" varchar(50) null,
      "enabled" boolean null,
      "parent_id" bigint null,
      "bridge_id" bigint null,
      "lag_id" bigint null,
      "mtu" integer null,
      "primary_mac_address_id" bigint null,
      "speed" bigint null,
      "duplex" varchar(50) null,
      "wwn" macaddr8 null,
      "mgmt_only" boolean null,
      "mode" varchar(50) null,
      "rf_role" varchar(30) null,
      "rf_channel" varchar(50) null,
      "poe_mode" varchar(50) null,
      "poe_type" varchar(50) null,
      "rf_channel_frequency" numeric(8,3) null,
      "rf_channel_width" numeric(7,3) null,
      "tx_power" smallint null,
      "untagged_vlan_id" bigint null,
      "tagged_vlans" bigint[] null,
      "qinq_svlan_id" bigint null,
      "vlan_translation_policy_id" bigint null,
      "wireless_link_id" bigint null,
      "wireless_lans" bigint[] null,
      "vrf_id" bigint null,
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
    this.addSql(`create index "dcim_interface_device_id_idx" on "replica"."dcim_interface" using btree ("device_id")`);
    this.addSql(`create index "dcim_interface_name_idx" on "replica"."dcim_interface" using btree ("name")`);
    this.addSql(`create index "dcim_interface_module_id_idx" on "replica"."dcim_interface" using btree ("module_id")`);
    this.addSql(`create index "dcim_interface_vdcs_idx" on "replica"."dcim_interface" using gin ("vdcs")`);
    this.addSql(`create index "dcim_interface_parent_id_idx" on "replica"."dcim_interface" using btree ("parent_id")`);
    this.addSql(`create index "dcim_interface_bridge_id_idx" on "replica"."dcim_interface" using btree ("bridge_id")`);
    this.addSql(`create index "dcim_interface_lag_id_idx" on "replica"."dcim_interface" using btree ("lag_id")`);
    this.addSql(`create index "dcim_interface_primary_mac_address_id_idx" on "replica"."dcim_interface" using btree ("primary_mac_address_id")`);
    this.addSql(`create index "dcim_interface_wwn_idx" on "replica"."dcim_interface" using btree ("wwn")`);
    this.addSql(`create index "dcim_interface_untagged_vlan_id_idx" on "replica"."dcim_interface" using btree ("untagged_vlan_id")`);
    this.addSql(`create index "dcim_interface_tagged_vlans_idx" on "replica"."dcim_interface" using gin ("tagged_vlans")`);
    this.addSql(`create index "dcim_interface_qinq_svlan_id_idx" on "replica"."dcim_interface" using btree ("qinq_svlan_id")`);
    this.addSql(`create index "dcim_interface_vlan_translation_policy_id_idx" on "replica"."dcim_interface" using btree ("vlan_translation_policy_id")`);
    this.addSql(`create index "dcim_interface_wireless_link_id_idx" on "replica"."dcim_interface" using btree ("wireless_link_id")`);
    this.addSql(`create index "dcim_interface_wireless_lans_idx" on "replica"."dcim_interface" using gin ("wireless_lans")`);
    this.addSql(`create index "dcim_interface_vrf_id_idx" on "replica"."dcim_interface" using btree ("vrf_id")`);
    this.addSql(`create index "dcim_interface_cable_id_idx" on "replica"."dcim_interface" using btree ("cable_id")`);
    this.addSql(`create index "dcim_interface_owner_id_idx" on "replica"."dcim_interface" using btree ("owner_id")`);
    this.addSql(`create index "dcim_interface_tags_idx" on "replica"."dcim_interface" using gin ("tags")`);
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
    this.addSql(`create table "replica"."dcim_manufacturer" (
      "id" bigint not null,
      "name" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create table "replica"."dcim_rack" (
      "id" bigint not null,
      "name" varchar(100) null,
      "facility_id" varchar(50) null,
      "site_id" bigint null,
      "location_id" bigint null,
      "group_id" bigint null,
      "tenant_id" bigint null,
      "status" varchar(50) null,
      "role_id" bigint null,
      "serial" varchar(50) null,
      "asset_tag" varchar(50) null,
      "rack_type_id" bigint null,
      "form_factor" varchar(50) null,
      "width" smallint null,
      "u_height" smallint null,
      "starting_unit" smallint null,
      "weight" numeric(8,2) null,
      "max_weight" integer null,
      "weight_unit" varchar(50) null,
      "desc_units" boolean null,
      "outer_width" smallint null,
      "outer_height" smallint null,
      "outer_depth" smallint null,
      "outer_unit" varchar(50) null,
      "mounting_depth" smallint null,
      "airflow" varchar(50) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_abs_weight" bigint null,
      "_abs_max_weight" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rack_name_idx" on "replica"."dcim_rack" using btree ("name")`);
    this.addSql(`create index "dcim_rack_site_id_idx" on "replica"."dcim_rack" using btree ("site_id")`);
    this.addSql(`create index "dcim_rack_location_id_idx" on "replica"."dcim_rack" using btree ("location_id")`);
    this.addSql(`create index "dcim_rack_group_id_idx" on "replica"."dcim_rack" using btree ("group_id")`);
    this.addSql(`create index "dcim_rack_tenant_id_idx" on "replica"."dcim_rack" using btree ("tenant_id")`);
    this.addSql(`create index "dcim_rack_role_id_idx" on "replica"."dcim_rack" using btree ("role_id")`);
    this.addSql(`create index "dcim_rack_rack_type_id_idx" on "replica"."dcim_rack" using btree ("rack_type_id")`);
    this.addSql(`create index "dcim_rack_owner_id_idx" on "replica"."dcim_rack" using btree ("owner_id")`);
    this.addSql(`create index "dcim_rack_tags_idx" on "replica"."dcim_rack" using gin ("tags")`);
    this.addSql(`create table "replica"."dcim_rackgroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rackgroup_slug_idx" on "replica"."dcim_rackgroup" using btree ("slug")`);
    this.addSql(`create index "dcim_rackgroup_owner_id_idx" on "replica"."dcim_rackgroup" using btree ("owner_id")`);
    this.addSql(`create index "dcim_rackgroup_tags_idx" on "replica"."dcim_rackgroup" using gin ("tags")`);
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
      "master_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_virtualchassis_name_idx" on "replica"."dcim_virtualchassis" using btree ("name")`);
    this.addSql(`create index "dcim_virtualchassis_master_id_idx" on "replica"."dcim_virtualchassis" using btree ("master_id")`);
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
    this.addSql(`create table "ipam_vrf" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "rd" varchar(21) null,
      "tenant_id" bigint null,
      "enforce_unique" boolean not null default true,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "import_targets" bigint[] not null default '{}',
      "export_targets" bigint[] not null default '{}',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_vrf_tenant_id_idx" on "ipam_vrf" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_vrf_owner_id_idx" on "ipam_vrf" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vrf_import_targets_idx" on "ipam_vrf" using gin ("import_targets")`);
    this.addSql(`create index "ipam_vrf_export_targets_idx" on "ipam_vrf" using gin ("export_targets")`);
    this.addSql(`create index "ipam_vrf_tags_idx" on "ipam_vrf" using gin ("tags")`);
    this.addSql(`create index "ipam_vrf_custom_fields_idx" on "ipam_vrf" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_vrf_order_idx" on "ipam_vrf" ("name" collate "natural", "rd", "id")`);
    this.addSql(`alter table "ipam_vrf" add constraint "ipam_vrf_rd_key" unique ("rd")`);
    this.addSql(`create table "ipam_vlantranslationpolicy" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_vlantranslationpolicy_owner_id_idx" on "ipam_vlantranslationpolicy" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vlantranslationpolicy_tags_idx" on "ipam_vlantranslationpolicy" using gin ("tags")`);
    this.addSql(`create index "ipam_vlantranslationpolicy_custom_fields_idx" on "ipam_vlantranslationpolicy" using gin ("custom_fields")`);
    this.addSql(`alter table "ipam_vlantranslationpolicy" add constraint "ipam_vlantranslationpolicy_name_key" unique ("name")`);
    this.addSql(`create table "ipam_vlantranslationrule" (
      "id" bigint generated by default as identity not null primary key,
      "policy_id" bigint not null,
      "local_vid" smallint not null,
      "remote_vid" smallint not null,
      "description" varchar(200) not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_vlantranslationrule_policy_id_idx" on "ipam_vlantranslationrule" using btree ("policy_id")`);
    this.addSql(`create index "ipam_vlantranslationrule_tags_idx" on "ipam_vlantranslationrule" using gin ("tags")`);
    this.addSql(`create index "ipam_vlantranslationrule_custom_fields_idx" on "ipam_vlantranslationrule" using gin ("custom_fields")`);
    this.addSql(`create unique index "ipam_vlantranslationrule_policy_local_vid_uniq" on "ipam_vlantranslationrule" ("policy_id", "local_vid") nulls not distinct`);
    this.addSql(`create unique index "ipam_vlantranslationrule_policy_remote_vid_uniq" on "ipam_vlantranslationrule" ("policy_id", "remote_vid") nulls not distinct`);
    this.addSql(`create index "ipam_vlantranslationrule_order_idx" on "ipam_vlantranslationrule" ("policy_id", "local_vid", "id")`);
    this.addSql(`create table "ipam_vlangroup" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "scope_type" varchar(100) null,
      "scope_id" bigint null,
      "vid_ranges" int4range[] not null default '{}',
      "total_vlan_ids" bigint not null default 4094,
      "tenant_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_vlangroup_tenant_id_idx" on "ipam_vlangroup" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_vlangroup_owner_id_idx" on "ipam_vlangroup" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vlangroup_tags_idx" on "ipam_vlangroup" using gin ("tags")`);
    this.addSql(`create index "ipam_vlangroup_custom_fields_idx" on "ipam_vlangroup" using gin ("custom_fields")`);
    this.addSql(`create unique index "ipam_vlangroup_scope_type_scope_id_name_uniq" on "ipam_vlangroup" ("scope_type", "scope_id", "name") where scope_type is not null and scope_id is not null`);
    this.addSql(`create unique index "ipam_vlangroup_scope_type_scope_id_slug_uniq" on "ipam_vlangroup" ("scope_type", "scope_id", "slug") where scope_type is not null and scope_id is not null`);
    this.addSql(`create index "ipam_vlangroup_scope_type_scope_id_idx" on "ipam_vlangroup" ("scope_type", "scope_id")`);
    this.addSql(`create index "ipam_vlangroup_order_idx" on "ipam_vlangroup" ("name" collate "natural", "id")`);
    this.addSql(`create table "ipam_servicetemplate" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "protocol" varchar(50) not null default '',
      "ports" integer[] not null default '{}',
      "ports_lowest" integer null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_servicetemplate_owner_id_idx" on "ipam_servicetemplate" using btree ("owner_id")`);
    this.addSql(`create index "ipam_servicetemplate_tags_idx" on "ipam_servicetemplate" using gin ("tags")`);
    this.addSql(`create index "ipam_servicetemplate_custom_fields_idx" on "ipam_servicetemplate" using gin ("custom_fields")`);
    this.addSql(`alter table "ipam_servicetemplate" add constraint "ipam_servicetemplate_name_key" unique ("name")`);
    this.addSql(`create table "ipam_service" (
      "id" bigint generated by default as identity not null primary key,
      "parent_object_type" varchar(100) not null,
      "parent_object_id" bigint not null,
      "name" varchar(100) not null default '',
      "protocol" varchar(50) not null default '',
      "ports" integer[] not null default '{}',
      "ports_lowest" integer null,
      "ipaddresses" bigint[] not null default '{}',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_service_ipaddresses_idx" on "ipam_service" using gin ("ipaddresses")`);
    this.addSql(`create index "ipam_service_owner_id_idx" on "ipam_service" using btree ("owner_id")`);
    this.addSql(`create index "ipam_service_tags_idx" on "ipam_service" using gin ("tags")`);
    this.addSql(`create index "ipam_service_custom_fields_idx" on "ipam_service" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_service_parent_object_type_parent_object_id_idx" on "ipam_service" ("parent_object_type", "parent_object_id")`);
    this.addSql(`create table "ipam_routetarget" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(21) not null default '',
      "tenant_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_routetarget_tenant_id_idx" on "ipam_routetarget" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_routetarget_owner_id_idx" on "ipam_routetarget" using btree ("owner_id")`);
    this.addSql(`create index "ipam_routetarget_tags_idx" on "ipam_routetarget" using gin ("tags")`);
    this.addSql(`create index "ipam_routetarget_custom_fields_idx" on "ipam_routetarget" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_routetarget_order_idx" on "ipam_routetarget" ("name" collate "natural", "id")`);
    this.addSql(`alter table "ipam_routetarget" add constraint "ipam_routetarget_name_key" unique ("name")`);
    this.addSql(`create table "ipam_role" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "weight" smallint not null default 1000,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_role_owner_id_idx" on "ipam_role" using btree ("owner_id")`);
    this.addSql(`create index "ipam_role_tags_idx" on "ipam_role" using gin ("tags")`);
    this.addSql(`create index "ipam_role_custom_fields_idx" on "ipam_role" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_role_order_idx" on "ipam_role" ("weight", "name" collate "natural", "id")`);
    this.addSql(`alter table "ipam_role" add constraint "ipam_role_name_key" unique ("name")`);
    this.addSql(`alter table "ipam_role" add constraint "ipam_role_slug_key" unique ("slug")`);
    this.addSql(`create table "ipam_vlan" (
      "id" bigint generated by default as identity not null primary key,
      "site_id" bigint null,
      "group_id" bigint null,
      "vid" smallint not null,
      "name" varchar(64) not null default '',
      "tenant_id" bigint null,
      "status" varchar(50) not null default 'active',
      "role_id" bigint null,
      "description" varchar(200) not null default '',
      "qinq_role" varchar(50) null,
      "qinq_svlan_id" bigint null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_vlan_site_id_idx" on "ipam_vlan" using btree ("site_id")`);
    this.addSql(`create index "ipam_vlan_group_id_idx" on "ipam_vlan" using btree ("group_id")`);
    this.addSql(`create index "ipam_vlan_tenant_id_idx" on "ipam_vlan" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_vlan_role_id_idx" on "ipam_vlan" using btree ("role_id")`);
    this.addSql(`create index "ipam_vlan_qinq_svlan_id_idx" on "ipam_vlan" using btree ("qinq_svlan_id")`);
    this.addSql(`create index "ipam_vlan_owner_id_idx" on "ipam_vlan" using btree ("owner_id")`);
    this.addSql(`create index "ipam_vlan_tags_idx" on "ipam_vlan" using gin ("tags")`);
    this.addSql(`create index "ipam_vlan_custom_fields_idx" on "ipam_vlan" using gin ("custom_fields")`);
    this.addSql(`create unique index "ipam_vlan_group_vid_uniq" on "ipam_vlan" ("group_id", "vid") where group_id is not null`);
    this.addSql(`create unique index "ipam_vlan_group_name_uniq" on "ipam_vlan" ("group_id", "name") where group_id is not null`);
    this.addSql(`create unique index "ipam_vlan_qinq_svlan_vid_uniq" on "ipam_vlan" ("qinq_svlan_id", "vid") where qinq_svlan_id is not null`);
    this.addSql(`create unique index "ipam_vlan_qinq_svlan_name_uniq" on "ipam_vlan" ("qinq_svlan_id", "name") where qinq_svlan_id is not null`);
    this.addSql(`create index "ipam_vlan_order_idx" on "ipam_vlan" ("site_id", "group_id", "vid", "id")`);
    this.addSql(`create table "ipam_rir" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "is_private" boolean not null default false,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_rir_owner_id_idx" on "ipam_rir" using btree ("owner_id")`);
    this.addSql(`create index "ipam_rir_tags_idx" on "ipam_rir" using gin ("tags")`);
    this.addSql(`create index "ipam_rir_custom_fields_idx" on "ipam_rir" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_rir_order_idx" on "ipam_rir" ("name" collate "natural", "id")`);
    this.addSql(`alter table "ipam_rir" add constraint "ipam_rir_name_key" unique ("name")`);
    this.addSql(`alter table "ipam_rir" add constraint "ipam_rir_slug_key" unique ("slug")`);
    this.addSql(`create table "ipam_prefix" (
      "id" bigint generated by default as identity not null primary key,
      "prefix" cidr not null,
      "vrf_id" bigint null,
      "scope_type" varchar(100) null,
      "scope_id" bigint null,
      "tenant_id" bigint null,
      "vlan_id" bigint null,
      "status" varchar(50) not null default 'active',
      "role_id" bigint null,
      "is_pool" boolean not null default false,
      "mark_utilized" boolean not null default false,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "children" bigint not null default 0,
      "_depth" smallint not null default 0,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_prefix_prefix_idx" on "ipam_prefix" using gist ("prefix" inet_ops)`);
    this.addSql(`create index "ipam_prefix_vrf_id_idx" on "ipam_prefix" using btree ("vrf_id")`);
    this.addSql(`create index "ipam_prefix_tenant_id_idx" on "ipam_prefix" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_prefix_vlan_id_idx" on "ipam_prefix" using btree ("vlan_id")`);
    this.addSql(`create index "ipam_prefix_role_id_idx" on "ipam_prefix" using btree ("role_id")`);
    this.addSql(`create index "ipam_prefix_owner_id_idx" on "ipam_prefix" using btree ("owner_id")`);
    this.addSql(`create index "ipam_prefix_tags_idx" on "ipam_prefix" using gin ("tags")`);
    this.addSql(`create index "ipam_prefix_custom_fields_idx" on "ipam_prefix" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_prefix_scope_type_scope_id_idx" on "ipam_prefix" ("scope_type", "scope_id")`);
    this.addSql(`create index "ipam_prefix_order_idx" on "ipam_prefix" ("vrf_id" nulls first, "prefix", "id")`);
    this.addSql(`create table "ipam_iprange" (
      "id" bigint generated by default as identity not null primary key,
      "start_address" inet not null,
      "end_address" inet not null,
      "size" bigint not null default 0,
      "vrf_id" bigint null,
      "tenant_id" bigint null,
      "status" varchar(50) not null default 'active',
      "role_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "mark_populated" boolean not null default false,
      "mark_utilized" boolean not null default false,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_iprange_vrf_id_idx" on "ipam_iprange" using btree ("vrf_id")`);
    this.addSql(`create index "ipam_iprange_tenant_id_idx" on "ipam_iprange" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_iprange_role_id_idx" on "ipam_iprange" using btree ("role_id")`);
    this.addSql(`create index "ipam_iprange_owner_id_idx" on "ipam_iprange" using btree ("owner_id")`);
    this.addSql(`create index "ipam_iprange_tags_idx" on "ipam_iprange" using gin ("tags")`);
    this.addSql(`create index "ipam_iprange_custom_fields_idx" on "ipam_iprange" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_iprange_order_idx" on "ipam_iprange" ("vrf_id" nulls first, set_masklen("start_address", -1), "id")`);
    this.addSql(`create table "ipam_ipaddress" (
      "id" bigint generated by default as identity not null primary key,
      "address" inet not null,
      "vrf_id" bigint null,
      "tenant_id" bigint null,
      "status" varchar(50) not null default 'active',
      "role" varchar(50) not null default '',
      "assigned_object_type" varchar(100) null,
      "assigned_object_id" bigint null,
      "nat_inside_id" bigint null,
      "dns_name" varchar(255) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_ipaddress_vrf_id_idx" on "ipam_ipaddress" using btree ("vrf_id")`);
    this.addSql(`create index "ipam_ipaddress_tenant_id_idx" on "ipam_ipaddress" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_ipaddress_nat_inside_id_idx" on "ipam_ipaddress" using btree ("nat_inside_id")`);
    this.addSql(`create index "ipam_ipaddress_owner_id_idx" on "ipam_ipaddress" using btree ("owner_id")`);
    this.addSql(`create index "ipam_ipaddress_tags_idx" on "ipam_ipaddress" using gin ("tags")`);
    this.addSql(`create index "ipam_ipaddress_custom_fields_idx" on "ipam_ipaddress" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_ipaddress_dns_name_idx" on "ipam_ipaddress" ("dns_name")`);
    this.addSql(`create index "ipam_ipaddress_assigned_object_type_assigned_object_id_idx" on "ipam_ipaddress" ("assigned_object_type", "assigned_object_id")`);
    this.addSql(`create index "ipam_ipaddress_order_idx" on "ipam_ipaddress" (set_masklen("address", -1), "id")`);
    this.addSql(`create table "ipam_fhrpgroup" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "protocol" varchar(50) not null default '',
      "group_id" smallint not null,
      "auth_type" varchar(50) null,
      "auth_key" varchar(255) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "first_address" inet null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_fhrpgroup_owner_id_idx" on "ipam_fhrpgroup" using btree ("owner_id")`);
    this.addSql(`create index "ipam_fhrpgroup_tags_idx" on "ipam_fhrpgroup" using gin ("tags")`);
    this.addSql(`create index "ipam_fhrpgroup_custom_fields_idx" on "ipam_fhrpgroup" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_fhrpgroup_order_idx" on "ipam_fhrpgroup" ("protocol", "group_id", "id")`);
    this.addSql(`create table "ipam_fhrpgroupassignment" (
      "id" bigint generated by default as identity not null primary key,
      "group_id" bigint not null,
      "interface_type" varchar(100) not null,
      "interface_id" bigint not null,
      "priority" smallint not null,
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_fhrpgroupassignment_group_id_idx" on "ipam_fhrpgroupassignment" using btree ("group_id")`);
    this.addSql(`create unique index "ipam_fhrpgroupassignment_interface_type_interface_id_group_uniq" on "ipam_fhrpgroupassignment" ("interface_type", "interface_id", "group_id") nulls not distinct`);
    this.addSql(`create index "ipam_fhrpgroupassignment_interface_type_interface_id_idx" on "ipam_fhrpgroupassignment" ("interface_type", "interface_id")`);
    this.addSql(`create index "ipam_fhrpgroupassignment_order_idx" on "ipam_fhrpgroupassignment" ("priority" desc, "id")`);
    this.addSql(`create table "ipam_asnrange" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "rir_id" bigint not null,
      "start" bigint not null,
      "end" bigint not null,
      "tenant_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_asnrange_rir_id_idx" on "ipam_asnrange" using btree ("rir_id")`);
    this.addSql(`create index "ipam_asnrange_tenant_id_idx" on "ipam_asnrange" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_asnrange_owner_id_idx" on "ipam_asnrange" using btree ("owner_id")`);
    this.addSql(`create index "ipam_asnrange_tags_idx" on "ipam_asnrange" using gin ("tags")`);
    this.addSql(`create index "ipam_asnrange_custom_fields_idx" on "ipam_asnrange" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_asnrange_order_idx" on "ipam_asnrange" ("name" collate "natural", "id")`);
    this.addSql(`alter table "ipam_asnrange" add constraint "ipam_asnrange_name_key" unique ("name")`);
    this.addSql(`alter table "ipam_asnrange" add constraint "ipam_asnrange_slug_key" unique ("slug")`);
    this.addSql(`create table "ipam_asn" (
      "id" bigint generated by default as identity not null primary key,
      "asn" bigint not null,
      "rir_id" bigint null,
      "role_id" bigint null,
      "tenant_id" bigint null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_asn_rir_id_idx" on "ipam_asn" using btree ("rir_id")`);
    this.addSql(`create index "ipam_asn_role_id_idx" on "ipam_asn" using btree ("role_id")`);
    this.addSql(`create index "ipam_asn_tenant_id_idx" on "ipam_asn" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_asn_owner_id_idx" on "ipam_asn" using btree ("owner_id")`);
    this.addSql(`create index "ipam_asn_tags_idx" on "ipam_asn" using gin ("tags")`);
    this.addSql(`create index "ipam_asn_custom_fields_idx" on "ipam_asn" using gin ("custom_fields")`);
    this.addSql(`alter table "ipam_asn" add constraint "ipam_asn_asn_key" unique ("asn")`);
    this.addSql(`create table "ipam_aggregate" (
      "id" bigint generated by default as identity not null primary key,
      "prefix" cidr not null,
      "rir_id" bigint not null,
      "tenant_id" bigint null,
      "date_added" date null,
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "ipam_aggregate_prefix_idx" on "ipam_aggregate" using gist ("prefix" inet_ops)`);
    this.addSql(`create index "ipam_aggregate_rir_id_idx" on "ipam_aggregate" using btree ("rir_id")`);
    this.addSql(`create index "ipam_aggregate_tenant_id_idx" on "ipam_aggregate" using btree ("tenant_id")`);
    this.addSql(`create index "ipam_aggregate_owner_id_idx" on "ipam_aggregate" using btree ("owner_id")`);
    this.addSql(`create index "ipam_aggregate_tags_idx" on "ipam_aggregate" using gin ("tags")`);
    this.addSql(`create index "ipam_aggregate_custom_fields_idx" on "ipam_aggregate" using gin ("custom_fields")`);
    this.addSql(`create index "ipam_aggregate_order_idx" on "ipam_aggregate" ("prefix", "id")`);
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
    this.addSql(`create index "virtualization_cluster_scope_type_scope_id_idx" on "replica"."virtualization_cluster" ("scope_type", "scope_id")`);
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
    this.addSql(`create table "replica"."virtualization_virtualmachine" (
      "id" bigint not null,
      "name" varchar(64) null,
      "virtual_machine_type_id" bigint null,
      "role_id" bigint null,
      "status" varchar(50) null,
      "start_on_boot" varchar(32) null,
      "site_id" bigint null,
      "cluster_id" bigint null,
      "device_id" bigint null,
      "platform_id" bigint null,
      "primary_ip4_id" bigint null,
      "primary_ip6_id" bigint null,
      "vcpus" numeric(6,2) null,
      "memory" integer null,
      "disk" integer null,
      "description" varchar(200) null,
      "serial" varchar(50) null,
      "tenant_id" bigint null,
      "owner_id" bigint null,
      "local_context_data" jsonb null,
      "config_template_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_virtualmachine_name_idx" on "replica"."virtualization_virtualmachine" using btree ("name")`);
    this.addSql(`create index "virtualization_virtualmachine_virtual_machine_type_id_idx" on "replica"."virtualization_virtualmachine" using btree ("virtual_machine_type_id")`);
    this.addSql(`create index "virtualization_virtualmachine_role_id_idx" on "replica"."virtualization_virtualmachine" using btree ("role_id")`);
    this.addSql(`create index "virtualization_virtualmachine_site_id_idx" on "replica"."virtualization_virtualmachine" using btree ("site_id")`);
    this.addSql(`create index "virtualization_virtualmachine_cluster_id_idx" on "replica"."virtualization_virtualmachine" using btree ("cluster_id")`);
    this.addSql(`create index "virtualization_virtualmachine_device_id_idx" on "replica"."virtualization_virtualmachine" using btree ("device_id")`);
    this.addSql(`create index "virtualization_virtualmachine_platform_id_idx" on "replica"."virtualization_virtualmachine" using btree ("platform_id")`);
    this.addSql(`create index "virtualization_virtualmachine_primary_ip4_id_idx" on "replica"."virtualization_virtualmachine" using btree ("primary_ip4_id")`);
    this.addSql(`create index "virtualization_virtualmachine_primary_ip6_id_idx" on "replica"."virtualization_virtualmachine" using btree ("primary_ip6_id")`);
    this.addSql(`create index "virtualization_virtualmachine_tenant_id_idx" on "replica"."virtualization_virtualmachine" using btree ("tenant_id")`);
    this.addSql(`create index "virtualization_virtualmachine_owner_id_idx" on "replica"."virtualization_virtualmachine" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_virtualmachine_config_template_id_idx" on "replica"."virtualization_virtualmachine" using btree ("config_template_id")`);
    this.addSql(`create index "virtualization_virtualmachine_tags_idx" on "replica"."virtualization_virtualmachine" using gin ("tags")`);
    this.addSql(`create table "replica"."virtualization_vminterface" (
      "id" bigint not null,
      "virtual_machine_id" bigint null,
      "name" varchar(64) null,
      "_name" varchar(100) null,
      "enabled" boolean null,
      "parent_id" bigint null,
      "bridge_id" bigint null,
      "mtu" integer null,
      "primary_mac_address_id" bigint null,
      "description" varchar(200) null,
      "mode" varchar(50) null,
      "untagged_vlan_id" bigint null,
      "tagged_vlans" bigint[] null,
      "qinq_svlan_id" bigint null,
      "vlan_translation_policy_id" bigint null,
      "vrf_id" bigint null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "virtualization_vminterface_virtual_machine_id_idx" on "replica"."virtualization_vminterface" using btree ("virtual_machine_id")`);
    this.addSql(`create index "virtualization_vminterface_name_idx" on "replica"."virtualization_vminterface" using btree ("name")`);
    this.addSql(`create index "virtualization_vminterface_parent_id_idx" on "replica"."virtualization_vminterface" using btree ("parent_id")`);
    this.addSql(`create index "virtualization_vminterface_bridge_id_idx" on "replica"."virtualization_vminterface" using btree ("bridge_id")`);
    this.addSql(`create index "virtualization_vminterface_primary_mac_address_id_idx" on "replica"."virtualization_vminterface" using btree ("primary_mac_address_id")`);
    this.addSql(`create index "virtualization_vminterface_untagged_vlan_id_idx" on "replica"."virtualization_vminterface" using btree ("untagged_vlan_id")`);
    this.addSql(`create index "virtualization_vminterface_tagged_vlans_idx" on "replica"."virtualization_vminterface" using gin ("tagged_vlans")`);
    this.addSql(`create index "virtualization_vminterface_qinq_svlan_id_idx" on "replica"."virtualization_vminterface" using btree ("qinq_svlan_id")`);
    this.addSql(`create index "virtualization_vminterface_vlan_translation_policy_id_idx" on "replica"."virtualization_vminterface" using btree ("vlan_translation_policy_id")`);
    this.addSql(`create index "virtualization_vminterface_vrf_id_idx" on "replica"."virtualization_vminterface" using btree ("vrf_id")`);
    this.addSql(`create index "virtualization_vminterface_owner_id_idx" on "replica"."virtualization_vminterface" using btree ("owner_id")`);
    this.addSql(`create index "virtualization_vminterface_tags_idx" on "replica"."virtualization_vminterface" using gin ("tags")`);
    this.addSql(`alter table "ipam_vrf" add constraint "ipam_vrf_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vrf" add constraint "ipam_vrf_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlantranslationpolicy" add constraint "ipam_vlantranslationpolicy_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlantranslationrule" add constraint "ipam_vlantranslationrule_policy_id_fk" foreign key ("policy_id") references "ipam_vlantranslationpolicy" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlangroup" add constraint "ipam_vlangroup_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlangroup" add constraint "ipam_vlangroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_servicetemplate" add constraint "ipam_servicetemplate_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_service" add constraint "ipam_service_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_routetarget" add constraint "ipam_routetarget_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_routetarget" add constraint "ipam_routetarget_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_role" add constraint "ipam_role_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlan" add constraint "ipam_vlan_site_id_fk" foreign key ("site_id") references "replica"."dcim_site" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlan" add constraint "ipam_vlan_group_id_fk" foreign key ("group_id") references "ipam_vlangroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlan" add constraint "ipam_vlan_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlan" add constraint "ipam_vlan_role_id_fk" foreign key ("role_id") references "ipam_role" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlan" add constraint "ipam_vlan_qinq_svlan_id_fk" foreign key ("qinq_svlan_id") references "ipam_vlan" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_vlan" add constraint "ipam_vlan_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_rir" add constraint "ipam_rir_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_prefix" add constraint "ipam_prefix_vrf_id_fk" foreign key ("vrf_id") references "ipam_vrf" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_prefix" add constraint "ipam_prefix_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_prefix" add constraint "ipam_prefix_vlan_id_fk" foreign key ("vlan_id") references "ipam_vlan" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_prefix" add constraint "ipam_prefix_role_id_fk" foreign key ("role_id") references "ipam_role" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_prefix" add constraint "ipam_prefix_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_iprange" add constraint "ipam_iprange_vrf_id_fk" foreign key ("vrf_id") references "ipam_vrf" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_iprange" add constraint "ipam_iprange_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_iprange" add constraint "ipam_iprange_role_id_fk" foreign key ("role_id") references "ipam_role" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_iprange" add constraint "ipam_iprange_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_ipaddress" add constraint "ipam_ipaddress_vrf_id_fk" foreign key ("vrf_id") references "ipam_vrf" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_ipaddress" add constraint "ipam_ipaddress_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_ipaddress" add constraint "ipam_ipaddress_nat_inside_id_fk" foreign key ("nat_inside_id") references "ipam_ipaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_ipaddress" add constraint "ipam_ipaddress_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_fhrpgroup" add constraint "ipam_fhrpgroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_fhrpgroupassignment" add constraint "ipam_fhrpgroupassignment_group_id_fk" foreign key ("group_id") references "ipam_fhrpgroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asnrange" add constraint "ipam_asnrange_rir_id_fk" foreign key ("rir_id") references "ipam_rir" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asnrange" add constraint "ipam_asnrange_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asnrange" add constraint "ipam_asnrange_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asn" add constraint "ipam_asn_rir_id_fk" foreign key ("rir_id") references "ipam_rir" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asn" add constraint "ipam_asn_role_id_fk" foreign key ("role_id") references "ipam_role" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asn" add constraint "ipam_asn_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_asn" add constraint "ipam_asn_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_aggregate" add constraint "ipam_aggregate_rir_id_fk" foreign key ("rir_id") references "ipam_rir" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_aggregate" add constraint "ipam_aggregate_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "ipam_aggregate" add constraint "ipam_aggregate_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
  }
}
