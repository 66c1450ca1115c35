import { Migration } from '@mikro-orm/migrations';

export class Migration20261121110128_add_images extends Migration {
  override up(): void {
    this.addSql(`create index "dcim_devicetype_front_image_idx" on "dcim_devicetype" using btree ("front_image")`);
    this.addSql(`create index "dcim_devicetype_rear_image_idx" on "dcim_devicetype" using btree ("rear_image")`);
  }
}
