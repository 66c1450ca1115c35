import { Migration } from '@mikro-orm/migrations';

/** Sessions that were ended before their time. */
export class Migration20261121143000_ended_sessions extends Migration {
  override up(): void {
    this.addSql('create table ended_session (id uuid primary key, until timestamptz not null)');
  }
}
