import { Migration } from '@mikro-orm/migrations';

export class Migration20261121112858_catch_up_cables extends Migration {
  override up(): void {
    this.addSql(`create index "dcim_macaddress_assigned_object_type_assigned_object_id_idx" on "replica"."dcim_macaddress" ("assigned_object_type", "assigned_object_id")`);
    this.addSql(`create index "ipam_fhrpgroupassignment_interface_type_interface_id_idx" on "replica"."ipam_fhrpgroupassignment" ("interface_type", "interface_id")`);
    this.addSql(`create index "ipam_ipaddress_assigned_object_type_assigned_object_id_idx" on "replica"."ipam_ipaddress" ("assigned_object_type", "assigned_object_id")`);
    this.addSql(`create index "tenancy_contactassignment_object_type_object_id_idx" on "replica"."tenancy_contactassignment" ("object_type", "object_id")`);
  }
}
