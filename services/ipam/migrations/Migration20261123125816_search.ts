import { Migration } from '@mikro-orm/migrations';

export class Migration20261123125816_search extends Migration {
  override up(): void {
    this.addSql(`create index "ipam_ipaddress_search_idx" on "ipam_ipaddress" using gin ("dns_name" gin_trgm_ops, "description" gin_trgm_ops, ("address"::text) gin_trgm_ops)`);
  }
}
