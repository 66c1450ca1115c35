import { Migration } from '@mikro-orm/migrations';

export class Migration20261121114731_index_of_names extends Migration {
  override up(): void {
    this.addSql(`create index "dcim_rack_serial_lower_idx" on "dcim_rack" (lower("serial"))`);
    this.addSql(`create index "dcim_device_name_lower_idx" on "dcim_device" (lower("name"))`);
    this.addSql(`create index "dcim_device_serial_lower_idx" on "dcim_device" (lower("serial"))`);
    this.addSql(`create index "dcim_module_serial_lower_idx" on "dcim_module" (lower("serial"))`);
    this.addSql(`create index "dcim_inventoryitem_serial_lower_idx" on "dcim_inventoryitem" (lower("serial"))`);
    this.addSql(`create index "dcim_interface_name_idx" on "dcim_interface" ("name")`);
  }
}
