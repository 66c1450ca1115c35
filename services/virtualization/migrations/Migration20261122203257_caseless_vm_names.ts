import { Migration } from '@mikro-orm/migrations';

export class Migration20261122203257_caseless_vm_names extends Migration {
  override up(): void {
    this.addSql(`create index "virtualization_virtualmachine_name_lower_idx" on "virtualization_virtualmachine" (lower("name"))`);
  }
}
