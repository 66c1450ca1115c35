import { Migration } from '@mikro-orm/migrations';

/**
 * What is known of tokens and is no part of them: from where they were last used, whether they were rotated, and of
 * which end their users were warned, how many days before.
 */
export class Migration20261124001000_token_use extends Migration {
  override up(): void {
    this.addSql(`create table token_use (
      token_id bigint not null primary key references users_token on delete cascade,
      address text not null default '', rotated timestamptz, warned_expires timestamptz, warned_days integer)`);
  }
}
