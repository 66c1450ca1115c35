import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111814_find_by_generic_fields extends Migration {
  override up(): void {
    this.addSql(`create index "virtualization_cluster_scope_type_scope_id_idx" on "replica"."virtualization_cluster" ("scope_type", "scope_id")`);
  }
}
