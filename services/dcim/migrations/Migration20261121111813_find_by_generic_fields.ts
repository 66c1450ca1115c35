import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111813_find_by_generic_fields extends Migration {
  override up(): void {
    this.addSql(`create index "circuits_circuittermination_termination_type_termination_id_idx" on "replica"."circuits_circuittermination" ("termination_type", "termination_id")`);
    this.addSql(`create index "ipam_fhrpgroupassignment_interface_type_interface_id_idx" on "replica"."ipam_fhrpgroupassignment" ("interface_type", "interface_id")`);
    this.addSql(`create index "ipam_ipaddress_assigned_object_type_assigned_object_id_idx" on "replica"."ipam_ipaddress" ("assigned_object_type", "assigned_object_id")`);
    this.addSql(`create index "ipam_prefix_scope_type_scope_id_idx" on "replica"."ipam_prefix" ("scope_type", "scope_id")`);
    this.addSql(`create index "tenancy_contactassignment_object_type_object_id_idx" on "replica"."tenancy_contactassignment" ("object_type", "object_id")`);
    this.addSql(`create index "virtualization_cluster_scope_type_scope_id_idx" on "replica"."virtualization_cluster" ("scope_type", "scope_id")`);
  }
}
