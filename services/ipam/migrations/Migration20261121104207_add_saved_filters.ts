import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104207_add_saved_filters extends Migration {
  override up(): void {
    this.addSql(`create table "replica"."extras_exporttemplate" (
      "id" bigint not null,
      "object_types" varchar(100)[] null,
      "name" varchar(100) null,
      "environment_params" jsonb null,
      "template_code" text null,
      "mime_type" varchar(50) null,
      "file_name" varchar(200) null,
      "file_extension" varchar(15) null,
      "as_attachment" boolean null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_exporttemplate_name_idx" on "replica"."extras_exporttemplate" using btree ("name")`);
    this.addSql(`create table "replica"."extras_savedfilter" (
      "id" bigint not null,
      "name" varchar(100) null,
      "slug" varchar(100) null,
      "user_id" bigint null,
      "weight" smallint null,
      "enabled" boolean null,
      "shared" boolean null,
      "parameters" jsonb null,
      "_version" integer not null,
      primary key ("id")
    )`);
    this.addSql(`create index "extras_savedfilter_slug_idx" on "replica"."extras_savedfilter" using btree ("slug")`);
    this.addSql(`create index "extras_savedfilter_user_id_idx" on "replica"."extras_savedfilter" using btree ("user_id")`);
  }
}
