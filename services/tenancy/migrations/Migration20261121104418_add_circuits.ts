import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104418_add_circuits extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."circuits_circuit" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_circuit_tenant_id_idx" on "replica"."circuits_circuit" using btree ("tenant_id")`);
    this.addSql(`create table "replica"."dcim_rack" (
      "id" bigint not null,
      "tenant_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "dcim_rack_tenant_id_idx" on "replica"."dcim_rack" using btree ("tenant_id")`);
  }
}
