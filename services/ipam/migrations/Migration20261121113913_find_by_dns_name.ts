import { Migration } from '@mikro-orm/migrations';

export class Migration20261121113913_find_by_dns_name extends Migration {
  override up(): void {
    this.addSql(`create index "ipam_ipaddress_dns_name_idx" on "ipam_ipaddress" ("dns_name")`);
  }
}
