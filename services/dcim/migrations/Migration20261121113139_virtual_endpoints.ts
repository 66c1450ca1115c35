import { Migration } from '@mikro-orm/migrations';

export class Migration20261121113139_virtual_endpoints extends Migration {
  override up(): void {
    this.addSql(`alter table "replica"."circuits_virtualcircuittermination" add "role" varchar(50) null, add "description" varchar(200) null, add "tags" bigint[] null`);
    this.addSql(`create index "circuits_virtualcircuittermination_tags_idx" on "replica"."circuits_virtualcircuittermination" using gin ("tags")`);
  }
}
