import { Migration } from '@mikro-orm/migrations';

export class Migration20261121111430_add_components_addresses extends Migration {
  override up(): void {
    this.addSql(`alter table "dcim_virtualdevicecontext" add constraint "dcim_virtualdevicecontext_primary_ip4_id_fk" foreign key ("primary_ip4_id") references "replica"."ipam_ipaddress" ("id") on update no action on delete no action`);
    this.addSql(`alter table "dcim_virtualdevicecontext" add constraint "dcim_virtualdevicecontext_primary_ip6_id_fk" foreign key ("primary_ip6_id") references "replica"."ipam_ipaddress" ("id") on update no action on delete no action`);
  }
}
