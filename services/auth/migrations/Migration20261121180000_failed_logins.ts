import { Migration } from '@mikro-orm/migrations';

/** How often passwords were wrong of late. Nobody misses it after a crash. */
export class Migration20261121180000_failed_logins extends Migration {
  override up(): void {
    this.addSql('create unlogged table failed_login (key text primary key, failures integer not null, until timestamptz not null)');
    this.addSql('create index failed_login_until on failed_login (until)');
  }
}
