import { Migration } from '@mikro-orm/migrations';

/**
 * Sessions of the web pages, from the login to their end. Those that began before this end with it. Processes of the
 * version before still ask the table `ended_session`, so that stays until a later version.
 */
export class Migration20261123120000_sessions extends Migration {
  override up(): void {
    this.addSql(`create table user_session (
      id bigint generated always as identity primary key, key uuid not null unique,
      user_id bigint not null references users_user on delete cascade,
      created timestamptz not null default now(), last_seen timestamptz not null default now(), until timestamptz not null,
      address text not null, browser text not null)`);
    this.addSql('create index user_session_user on user_session (user_id)');
    this.addSql('create index user_session_until on user_session (until)');
  }
}
