import { Migration } from '@mikro-orm/migrations';

/** From where users have logged in of late, and what has failed in their names since they last did. */
export class Migration20261123010000_login_limits extends Migration {
  override up(): void {
    this.addSql('create table known_origin (key text primary key, until timestamptz not null)');
    this.addSql('create index known_origin_until on known_origin (until)');
    this.addSql('create table failed_notice (user_id bigint primary key, failures integer not null, last timestamptz not null, address text not null)');
  }
}
