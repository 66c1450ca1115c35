import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105007_add_virtual_circuits extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."circuits_virtualcircuit" (
      "id" bigint not null,
      "cid" varchar(100) null,
      "provider_network_id" bigint null,
      "provider_account_id" bigint null,
      "type_id" bigint null,
      "status" varchar(50) null,
      "tenant_id" bigint null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_virtualcircuit_provider_network_id_idx" on "replica"."circuits_virtualcircuit" using btree ("provider_network_id")`);
    this.addSql(`create index "circuits_virtualcircuit_provider_account_id_idx" on "replica"."circuits_virtualcircuit" using btree ("provider_account_id")`);
    this.addSql(`create index "circuits_virtualcircuit_type_id_idx" on "replica"."circuits_virtualcircuit" using btree ("type_id")`);
    this.addSql(`create index "circuits_virtualcircuit_tenant_id_idx" on "replica"."circuits_virtualcircuit" using btree ("tenant_id")`);
    this.addSql(`create index "circuits_virtualcircuit_owner_id_idx" on "replica"."circuits_virtualcircuit" using btree ("owner_id")`);
    this.addSql(`create index "circuits_virtualcircuit_tags_idx" on "replica"."circuits_virtualcircuit" using gin ("tags")`);
    this.addSql(`create table "replica"."circuits_virtualcircuittermination" (
      "id" bigint not null,
      "virtual_circuit_id" bigint null,
      "interface_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_virtualcircuittermination_virtual_circuit_id_idx" on "replica"."circuits_virtualcircuittermination" using btree ("virtual_circuit_id")`);
    this.addSql(`create index "circuits_virtualcircuittermination_interface_id_idx" on "replica"."circuits_virtualcircuittermination" using btree ("interface_id")`);
  }
}
