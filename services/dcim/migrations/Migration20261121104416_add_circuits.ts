import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104416_add_circuits extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."circuits_circuittermination" (
      "id" bigint not null,
      "termination_type" varchar(100) null,
      "termination_id" bigint null,
      "_version" integer not null,
      primary key ("id")
    )`);
  }
}
