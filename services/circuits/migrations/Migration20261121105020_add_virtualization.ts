import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105020_add_virtualization extends Migration {
  override up(): void {
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
    this.addSql(`create table "replica"."dcim_interface" (
      "id" bigint not null,
      "device_id" bigint null,
      "vdcs" bigint[] null,
      "module_id" bigint null,
      "name" varchar(64) null,
      "_name" varchar(100) null,
      "label" varchar(64) null,
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
      "mark_connected" boolean null,
      "cable_id" bigint null,
      "cable_end" varchar(1) null,
      "cable_connector" smallint null,
      "cable_positions" smallint[] null,
      "wireless_link_id" bigint null,
      "wireless_lans" bigint[] null,
      "vrf_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_interface_device_id_idx" on "replica"."dcim_interface" using btree ("device_id")`);
    this.addSql(`create index "dcim_interface_vdcs_idx" on "replica"."dcim_interface" using gin ("vdcs")`);
    this.addSql(`create index "dcim_interface_module_id_idx" on "replica"."dcim_interface" using btree ("module_id")`);
    this.addSql(`create index "dcim_interface_name_idx" on "replica"."dcim_interface" using btree ("name")`);
    this.addSql(`create index "dcim_interface_parent_id_idx" on "replica"."dcim_interface" using btree ("parent_id")`);
    this.addSql(`create index "dcim_interface_bridge_id_idx" on "replica"."dcim_interface" using btree ("bridge_id")`);
    this.addSql(`create index "dcim_interface_lag_id_idx" on "replica"."dcim_interface" using btree ("lag_id")`);
    this.addSql(`create index "dcim_interface_primary_mac_address_id_idx" on "replica"."dcim_interface" using btree ("primary_mac_address_id")`);
    this.addSql(`create index "dcim_interface_wwn_idx" on "replica"."dcim_interface" using btree ("wwn")`);
    this.addSql(`create index "dcim_interface_untagged_vlan_id_idx" on "replica"."dcim_interface" using btree ("untagged_vlan_id")`);
    this.addSql(`create index "dcim_interface_tagged_vlans_idx" on "replica"."dcim_interface" using gin ("tagged_vlans")`);
    this.addSql(`create index "dcim_interface_qinq_svlan_id_idx" on "replica"."dcim_interface" using btree ("qinq_svlan_id")`);
    this.addSql(`create index "dcim_interface_vlan_translation_policy_id_idx" on "replica"."dcim_interface" using btree ("vlan_translation_policy_id")`);
    this.addSql(`create index "dcim_interface_cable_id_idx" on "replica"."dcim_interface" using btree ("cable_id")`);
    this.addSql(`create index "dcim_interface_wireless_link_id_idx" on "replica"."dcim_interface" using btree ("wireless_link_id")`);
    this.addSql(`create index "dcim_interface_wireless_lans_idx" on "replica"."dcim_interface" using gin ("wireless_lans")`);
    this.addSql(`create index "dcim_interface_vrf_id_idx" on "replica"."dcim_interface" using btree ("vrf_id")`);
    this.addSql(`create index "dcim_interface_owner_id_idx" on "replica"."dcim_interface" using btree ("owner_id")`);
    this.addSql(`create index "dcim_interface_tags_idx" on "replica"."dcim_interface" using gin ("tags")`);
    this.addSql(`alter table "circuits_virtualcircuittermination" add constraint "circuits_virtualcircuittermination_interface_id_fk" foreign key ("interface_id") references "replica"."dcim_interface" ("id") on update no action on delete no action`);
  }
}
