import { Migration } from '@mikro-orm/migrations';

export class Migration20261121114754_index_of_names extends Migration {
  override up(): void {
    this.addSql(`create index "ipam_ipaddress_dns_name_idx" on "ipam_ipaddress" ("dns_name")`);
  }
}
