import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105941_add_ipam extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."ipam_fhrpgroupassignment" (
      "id" bigint not null,
      "interface_type" varchar(100) null,
      "interface_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
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
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_primary_ip4_id_fk" foreign key ("primary_ip4_id") references "replica"."ipam_ipaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_virtualmachine" add constraint "virtualization_virtualmachine_primary_ip6_id_fk" foreign key ("primary_ip6_id") references "replica"."ipam_ipaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_untagged_vlan_id_fk" foreign key ("untagged_vlan_id") references "replica"."ipam_vlan" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_qinq_svlan_id_fk" foreign key ("qinq_svlan_id") references "replica"."ipam_vlan" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_vlan_translation_policy_id_fk" foreign key ("vlan_translation_policy_id") references "replica"."ipam_vlantranslationpolicy" ("id") on update no action on delete no action`);
    this.addSql(`alter table "virtualization_vminterface" add constraint "virtualization_vminterface_vrf_id_fk" foreign key ("vrf_id") references "replica"."ipam_vrf" ("id") on update no action on delete no action`);
  }
}
