import { Migration } from '@mikro-orm/migrations';

/** What somebody had typed while their login goes on elsewhere, encrypted by the gateway. */
export class Migration20261124003000_kept_forms extends Migration {
  override up(): void {
    this.addSql(`create table kept_form (
      key text primary key, address text not null, content text not null, until timestamptz not null)`);
    this.addSql('create index kept_form_address on kept_form (address)');
  }
}
