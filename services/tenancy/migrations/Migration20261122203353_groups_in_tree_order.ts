import { Migration } from '@mikro-orm/migrations';

export class Migration20261122203353_groups_in_tree_order extends Migration {
  override up(): void {
    this.addSql(`drop index "tenancy_contactgroup_order_idx"`);
    this.addSql(`drop index "tenancy_tenantgroup_order_idx"`);
  }
}
