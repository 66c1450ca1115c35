import { Migration } from '@mikro-orm/migrations';

/**
 * For whom of another system (a provider of identities, a directory, a proxy) a user is the account here, and which
 * memberships that system has given.
 */
export class Migration20261124000100_external_accounts extends Migration {
  override up(): void {
    this.addSql(`create table external_account (
      source text not null, subject text not null, user_id bigint not null references users_user on delete cascade,
      groups bigint[] not null default '{}', linked timestamptz not null default now(), last_seen timestamptz not null default now(),
      primary key (source, subject))`);
    this.addSql('create index external_account_user on external_account (user_id)');
  }
}
