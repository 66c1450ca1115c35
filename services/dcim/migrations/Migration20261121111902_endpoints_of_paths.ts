import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111902_endpoints_of_paths extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."circuits_providernetwork" (
      "id" bigint not null,
      "provider_id" bigint null,
      "name" varchar(100) null,
      "service_id" varchar(100) null,
      "description" varchar(200) null,
      "owner_id" bigint null,
      "tags" bigint[] null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "circuits_providernetwork_provider_id_idx" on "replica"."circuits_providernetwork" using btree ("provider_id")`);
    this.addSql(`create index "circuits_providernetwork_name_idx" on "replica"."circuits_providernetwork" using btree ("name")`);
    this.addSql(`create index "circuits_providernetwork_owner_id_idx" on "replica"."circuits_providernetwork" using btree ("owner_id")`);
    this.addSql(`create index "circuits_providernetwork_tags_idx" on "replica"."circuits_providernetwork" using gin ("tags")`);
    this.addSql(`alter table "dcim_cabletermination" drop constraint "dcim_cabletermination__location_id_fk"`);
    this.addSql(`alter table "dcim_cabletermination" drop constraint "dcim_cabletermination__rack_id_fk"`);
    this.addSql(`alter table "dcim_cabletermination" drop constraint "dcim_cabletermination__site_id_fk"`);
    this.addSql(`drop index "dcim_cabletermination__location_id_idx"`);
    this.addSql(`drop index "dcim_cabletermination__rack_id_idx"`);
    this.addSql(`drop index "dcim_cabletermination__site_id_idx"`);
    this.addSql(`alter table "dcim_cabletermination" drop column "_rack_id", drop column "_location_id", drop column "_site_id"`);
  }
}
