import { Migration } from '@mikro-orm/migrations';

export class Migration20261127175939_order_of_vlans extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."ipam_vlangroup" (
      "id" bigint not null,
      "name" varchar(100) null,
      "_version" integer not null,
      primary key ("id")
    )`);
  }
}
