import { Migration } from '@mikro-orm/migrations';

export class Migration20261121120804_initial extends Migration {
  override up(): void {
    this.addSql(`create schema if not exists "replica"`);
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
    this.addSql(`create table "replica"."dcim_cabletermination" (
      "id" bigint not null,
      "cable_id" bigint null,
      "cable_end" varchar(1) null,
      "termination_type" varchar(100) null,
      "termination_id" bigint null,
      "connector" smallint null,
      "positions" smallint[] null,
      "_device_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_cabletermination_cable_id_idx" on "replica"."dcim_cabletermination" using btree ("cable_id")`);
    this.addSql(`create index "dcim_cabletermination__device_id_idx" on "replica"."dcim_cabletermination" using btree ("_device_id")`);
    this.addSql(`create index "dcim_cabletermination_termination_type_termination_id_idx" on "replica"."dcim_cabletermination" ("termination_type", "termination_id")`);
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
      "location_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rack_location_id_idx" on "replica"."dcim_rack" using btree ("location_id")`);
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
    this.addSql(`create table "circuits_virtualcircuittype" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "color" varchar(6) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_virtualcircuittype_owner_id_idx" on "circuits_virtualcircuittype" using btree ("owner_id")`);
    this.addSql(`create index "circuits_virtualcircuittype_tags_idx" on "circuits_virtualcircuittype" using gin ("tags")`);
    this.addSql(`create index "circuits_virtualcircuittype_custom_fields_idx" on "circuits_virtualcircuittype" using gin ("custom_fields")`);
    this.addSql(`create index "circuits_virtualcircuittype_order_idx" on "circuits_virtualcircuittype" ("name" collate "natural", "id")`);
    this.addSql(`alter table "circuits_virtualcircuittype" add constraint "circuits_virtualcircuittype_name_key" unique ("name")`);
    this.addSql(`alter table "circuits_virtualcircuittype" add constraint "circuits_virtualcircuittype_slug_key" unique ("slug")`);
    this.addSql(`create table "circuits_provider" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "asns" bigint[] not null default '{}',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_provider_owner_id_idx" on "circuits_provider" using btree ("owner_id")`);
    this.addSql(`create index "circuits_provider_asns_idx" on "circuits_provider" using gin ("asns")`);
    this.addSql(`create index "circuits_provider_tags_idx" on "circuits_provider" using gin ("tags")`);
    this.addSql(`create index "circuits_provider_custom_fields_idx" on "circuits_provider" using gin ("custom_fields")`);
    this.addSql(`create index "circuits_provider_order_idx" on "circuits_provider" ("name" collate "natural", "id")`);
    this.addSql(`alter table "circuits_provider" add constraint "circuits_provider_name_key" unique ("name")`);
    this.addSql(`alter table "circuits_provider" add constraint "circuits_provider_slug_key" unique ("slug")`);
    this.addSql(`create table "circuits_providernetwork" (
      "id" bigint generated by default as identity not null primary key,
      "provider_id" bigint not null,
      "name" varchar(100) not null default '',
      "service_id" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_providernetwork_provider_id_idx" on "circuits_providernetwork" using btree ("provider_id")`);
    this.addSql(`create index "circuits_providernetwork_owner_id_idx" on "circuits_providernetwork" using btree ("owner_id")`);
    this.addSql(`create index "circuits_providernetwork_tags_idx" on "circuits_providernetwork" using gin ("tags")`);
    this.addSql(`create index "circuits_providernetwork_custom_fields_idx" on "circuits_providernetwork" using gin ("custom_fields")`);
    this.addSql(`create unique index "circuits_providernetwork_provider_name_uniq" on "circuits_providernetwork" ("provider_id", "name") nulls not distinct`);
    this.addSql(`create index "circuits_providernetwork_order_idx" on "circuits_providernetwork" ("provider_id", "name", "id")`);
    this.addSql(`create table "circuits_provideraccount" (
      "id" bigint generated by default as identity not null primary key,
      "provider_id" bigint not null,
      "name" varchar(100) not null default '',
      "account" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_provideraccount_provider_id_idx" on "circuits_provideraccount" using btree ("provider_id")`);
    this.addSql(`create index "circuits_provideraccount_owner_id_idx" on "circuits_provideraccount" using btree ("owner_id")`);
    this.addSql(`create index "circuits_provideraccount_tags_idx" on "circuits_provideraccount" using gin ("tags")`);
    this.addSql(`create index "circuits_provideraccount_custom_fields_idx" on "circuits_provideraccount" using gin ("custom_fields")`);
    this.addSql(`create unique index "circuits_provideraccount_provider_account_uniq" on "circuits_provideraccount" ("provider_id", "account") nulls not distinct`);
    this.addSql(`create unique index "circuits_provideraccount_provider_name_uniq" on "circuits_provideraccount" ("provider_id", "name") where name <> ''`);
    this.addSql(`create index "circuits_provideraccount_order_idx" on "circuits_provideraccount" ("provider_id", "account", "id")`);
    this.addSql(`create table "circuits_virtualcircuit" (
      "id" bigint generated by default as identity not null primary key,
      "cid" varchar(100) not null default '',
      "provider_network_id" bigint not null,
      "provider_account_id" bigint null,
      "type_id" bigint not null,
      "status" varchar(50) not null default 'active',
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
    this.addSql(`create index "circuits_virtualcircuit_provider_network_id_idx" on "circuits_virtualcircuit" using btree ("provider_network_id")`);
    this.addSql(`create index "circuits_virtualcircuit_provider_account_id_idx" on "circuits_virtualcircuit" using btree ("provider_account_id")`);
    this.addSql(`create index "circuits_virtualcircuit_type_id_idx" on "circuits_virtualcircuit" using btree ("type_id")`);
    this.addSql(`create index "circuits_virtualcircuit_tenant_id_idx" on "circuits_virtualcircuit" using btree ("tenant_id")`);
    this.addSql(`create index "circuits_virtualcircuit_owner_id_idx" on "circuits_virtualcircuit" using btree ("owner_id")`);
    this.addSql(`create index "circuits_virtualcircuit_tags_idx" on "circuits_virtualcircuit" using gin ("tags")`);
    this.addSql(`create index "circuits_virtualcircuit_custom_fields_idx" on "circuits_virtualcircuit" using gin ("custom_fields")`);
    this.addSql(`create unique index "circuits_virtualcircuit_provider_network_cid_uniq" on "circuits_virtualcircuit" ("provider_network_id", "cid") nulls not distinct`);
    this.addSql(`create unique index "circuits_virtualcircuit_provider_account_cid_uniq" on "circuits_virtualcircuit" ("provider_account_id", "cid") where provider_account_id is not null`);
    this.addSql(`create index "circuits_virtualcircuit_order_idx" on "circuits_virtualcircuit" ("provider_network_id", "provider_account_id", "cid", "id")`);
    this.addSql(`create table "circuits_virtualcircuittermination" (
      "id" bigint generated by default as identity not null primary key,
      "virtual_circuit_id" bigint not null,
      "role" varchar(50) not null default 'peer',
      "interface_id" bigint not null,
      "description" varchar(200) not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_virtualcircuittermination_virtual_circuit_id_idx" on "circuits_virtualcircuittermination" using btree ("virtual_circuit_id")`);
    this.addSql(`create index "circuits_virtualcircuittermination_tags_idx" on "circuits_virtualcircuittermination" using gin ("tags")`);
    this.addSql(`create index "circuits_virtualcircuittermination_custom_fields_idx" on "circuits_virtualcircuittermination" using gin ("custom_fields")`);
    this.addSql(`alter table "circuits_virtualcircuittermination" add constraint "circuits_virtualcircuittermination_interface_id_key" unique ("interface_id")`);
    this.addSql(`create table "circuits_circuittype" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "color" varchar(6) not null default '',
      "description" varchar(200) not null default '',
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_circuittype_owner_id_idx" on "circuits_circuittype" using btree ("owner_id")`);
    this.addSql(`create index "circuits_circuittype_tags_idx" on "circuits_circuittype" using gin ("tags")`);
    this.addSql(`create index "circuits_circuittype_custom_fields_idx" on "circuits_circuittype" using gin ("custom_fields")`);
    this.addSql(`create index "circuits_circuittype_order_idx" on "circuits_circuittype" ("name" collate "natural", "id")`);
    this.addSql(`alter table "circuits_circuittype" add constraint "circuits_circuittype_name_key" unique ("name")`);
    this.addSql(`alter table "circuits_circuittype" add constraint "circuits_circuittype_slug_key" unique ("slug")`);
    this.addSql(`create table "circuits_circuitgroup" (
      "id" bigint generated by default as identity not null primary key,
      "name" varchar(100) not null default '',
      "slug" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "tenant_id" bigint null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_circuitgroup_tenant_id_idx" on "circuits_circuitgroup" using btree ("tenant_id")`);
    this.addSql(`create index "circuits_circuitgroup_owner_id_idx" on "circuits_circuitgroup" using btree ("owner_id")`);
    this.addSql(`create index "circuits_circuitgroup_tags_idx" on "circuits_circuitgroup" using gin ("tags")`);
    this.addSql(`create index "circuits_circuitgroup_custom_fields_idx" on "circuits_circuitgroup" using gin ("custom_fields")`);
    this.addSql(`create index "circuits_circuitgroup_order_idx" on "circuits_circuitgroup" ("name" collate "natural", "id")`);
    this.addSql(`alter table "circuits_circuitgroup" add constraint "circuits_circuitgroup_name_key" unique ("name")`);
    this.addSql(`alter table "circuits_circuitgroup" add constraint "circuits_circuitgroup_slug_key" unique ("slug")`);
    this.addSql(`create table "circuits_circuitgroupassignment" (
      "id" bigint generated by default as identity not null primary key,
      "group_id" bigint not null,
      "member_type" varchar(100) not null,
      "member_id" bigint not null,
      "priority" varchar(50) not null default '',
      "tags" bigint[] not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_circuitgroupassignment_group_id_idx" on "circuits_circuitgroupassignment" using btree ("group_id")`);
    this.addSql(`create index "circuits_circuitgroupassignment_tags_idx" on "circuits_circuitgroupassignment" using gin ("tags")`);
    this.addSql(`create unique index "circuits_circuitgroupassignment_member_type_membe_4161aff8_uniq" on "circuits_circuitgroupassignment" ("member_type", "member_id", "group_id") nulls not distinct`);
    this.addSql(`create index "circuits_circuitgroupassignment_member_type_member_id_idx" on "circuits_circuitgroupassignment" ("member_type", "member_id")`);
    this.addSql(`create table "circuits_circuit" (
      "id" bigint generated by default as identity not null primary key,
      "cid" varchar(100) not null default '',
      "provider_id" bigint not null,
      "provider_account_id" bigint null,
      "type_id" bigint not null,
      "status" varchar(50) not null default 'active',
      "tenant_id" bigint null,
      "install_date" date null,
      "termination_date" date null,
      "commit_rate" integer null,
      "description" varchar(200) not null default '',
      "distance" numeric(8,2) null,
      "distance_unit" varchar(50) null,
      "termination_a_id" bigint null,
      "termination_z_id" bigint null,
      "owner_id" bigint null,
      "comments" text not null default '',
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_abs_distance" numeric(13,4) null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_circuit_provider_id_idx" on "circuits_circuit" using btree ("provider_id")`);
    this.addSql(`create index "circuits_circuit_provider_account_id_idx" on "circuits_circuit" using btree ("provider_account_id")`);
    this.addSql(`create index "circuits_circuit_type_id_idx" on "circuits_circuit" using btree ("type_id")`);
    this.addSql(`create index "circuits_circuit_tenant_id_idx" on "circuits_circuit" using btree ("tenant_id")`);
    this.addSql(`create index "circuits_circuit_termination_a_id_idx" on "circuits_circuit" using btree ("termination_a_id")`);
    this.addSql(`create index "circuits_circuit_termination_z_id_idx" on "circuits_circuit" using btree ("termination_z_id")`);
    this.addSql(`create index "circuits_circuit_owner_id_idx" on "circuits_circuit" using btree ("owner_id")`);
    this.addSql(`create index "circuits_circuit_tags_idx" on "circuits_circuit" using gin ("tags")`);
    this.addSql(`create index "circuits_circuit_custom_fields_idx" on "circuits_circuit" using gin ("custom_fields")`);
    this.addSql(`create unique index "circuits_circuit_provider_cid_uniq" on "circuits_circuit" ("provider_id", "cid") nulls not distinct`);
    this.addSql(`create unique index "circuits_circuit_provider_account_cid_uniq" on "circuits_circuit" ("provider_account_id", "cid") where provider_account_id is not null`);
    this.addSql(`create index "circuits_circuit_order_idx" on "circuits_circuit" ("provider_id", "provider_account_id", "cid", "id")`);
    this.addSql(`create table "circuits_circuittermination" (
      "id" bigint generated by default as identity not null primary key,
      "circuit_id" bigint not null,
      "term_side" varchar(1) not null default '',
      "termination_type" varchar(100) null,
      "termination_id" bigint null,
      "port_speed" integer null,
      "upstream_speed" integer null,
      "xconnect_id" varchar(50) not null default '',
      "pp_info" varchar(100) not null default '',
      "description" varchar(200) not null default '',
      "mark_connected" boolean not null default false,
      "cable_id" bigint null,
      "cable_end" varchar(1) null,
      "cable_connector" smallint null,
      "cable_positions" smallint[] null,
      "tags" bigint[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "created" timestamptz null,
      "last_updated" timestamptz null,
      "_version" integer not null default 1
    )`);
    this.addSql(`create index "circuits_circuittermination_circuit_id_idx" on "circuits_circuittermination" using btree ("circuit_id")`);
    this.addSql(`create index "circuits_circuittermination_cable_id_idx" on "circuits_circuittermination" using btree ("cable_id")`);
    this.addSql(`create index "circuits_circuittermination_tags_idx" on "circuits_circuittermination" using gin ("tags")`);
    this.addSql(`create index "circuits_circuittermination_custom_fields_idx" on "circuits_circuittermination" using gin ("custom_fields")`);
    this.addSql(`create unique index "circuits_circuittermination_circuit_term_side_uniq" on "circuits_circuittermination" ("circuit_id", "term_side") nulls not distinct`);
    this.addSql(`create index "circuits_circuittermination_termination_type_termination_id_idx" on "circuits_circuittermination" ("termination_type", "termination_id")`);
    this.addSql(`create index "circuits_circuittermination_order_idx" on "circuits_circuittermination" ("circuit_id", "term_side", "id")`);
    this.addSql(`create table "replica"."users_ownergroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "description" varchar(200) null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "users_ownergroup_name_idx" on "replica"."users_ownergroup" using btree ("name")`);
    this.addSql(`alter table "circuits_virtualcircuittype" add constraint "circuits_virtualcircuittype_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_provider" add constraint "circuits_provider_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_providernetwork" add constraint "circuits_providernetwork_provider_id_fk" foreign key ("provider_id") references "circuits_provider" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_providernetwork" add constraint "circuits_providernetwork_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_provideraccount" add constraint "circuits_provideraccount_provider_id_fk" foreign key ("provider_id") references "circuits_provider" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_provideraccount" add constraint "circuits_provideraccount_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuit" add constraint "circuits_virtualcircuit_provider_network_id_fk" foreign key ("provider_network_id") references "circuits_providernetwork" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuit" add constraint "circuits_virtualcircuit_provider_account_id_fk" foreign key ("provider_account_id") references "circuits_provideraccount" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuit" add constraint "circuits_virtualcircuit_type_id_fk" foreign key ("type_id") references "circuits_virtualcircuittype" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuit" add constraint "circuits_virtualcircuit_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuit" add constraint "circuits_virtualcircuit_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuittermination" add constraint "circuits_virtualcircuittermination_virtual_circuit_id_fk" foreign key ("virtual_circuit_id") references "circuits_virtualcircuit" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_virtualcircuittermination" add constraint "circuits_virtualcircuittermination_interface_id_fk" foreign key ("interface_id") references "replica"."dcim_interface" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuittype" add constraint "circuits_circuittype_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuitgroup" add constraint "circuits_circuitgroup_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuitgroup" add constraint "circuits_circuitgroup_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuitgroupassignment" add constraint "circuits_circuitgroupassignment_group_id_fk" foreign key ("group_id") references "circuits_circuitgroup" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_provider_id_fk" foreign key ("provider_id") references "circuits_provider" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_provider_account_id_fk" foreign key ("provider_account_id") references "circuits_provideraccount" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_type_id_fk" foreign key ("type_id") references "circuits_circuittype" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_tenant_id_fk" foreign key ("tenant_id") references "replica"."tenancy_tenant" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_termination_a_id_fk" foreign key ("termination_a_id") references "circuits_circuittermination" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_termination_z_id_fk" foreign key ("termination_z_id") references "circuits_circuittermination" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuit" add constraint "circuits_circuit_owner_id_fk" foreign key ("owner_id") references "replica"."users_owner" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuittermination" add constraint "circuits_circuittermination_circuit_id_fk" foreign key ("circuit_id") references "circuits_circuit" ("id") on update no action on delete no action`);
    this.addSql(`alter table "circuits_circuittermination" add constraint "circuits_circuittermination_cable_id_fk" foreign key ("cable_id") references "replica"."dcim_cable" ("id") on update no action on delete no action`);
  }
}
