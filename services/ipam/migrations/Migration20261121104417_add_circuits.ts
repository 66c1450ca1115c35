import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104417_add_circuits extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."circuits_provider" (
      "id" bigint not null,
      "asns" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_provider_asns_idx" on "replica"."circuits_provider" using gin ("asns")`);
  }
}
