import { Migration } from '@mikro-orm/migrations';

export class Migration20261121105414_add_cables extends Migration {
  override up(): void {
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
  }
}
