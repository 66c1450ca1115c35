import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105938_add_ipam extends Migration {
  override up(): void {
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
  }
}
