import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111817_find_by_generic_fields extends Migration {
  override up(): void {
    this.addSql(`create index "tenancy_contactassignment_object_type_object_id_idx" on "replica"."tenancy_contactassignment" ("object_type", "object_id")`);
    this.addSql(`create index "virtualization_cluster_scope_type_scope_id_idx" on "replica"."virtualization_cluster" ("scope_type", "scope_id")`);
  }
}
