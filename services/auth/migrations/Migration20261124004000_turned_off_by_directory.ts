import { Migration } from '@mikro-orm/migrations';

/** When a directory has turned an account off by knowing nobody for it any more: such an account comes back with them. */
export class Migration20261124004000_turned_off_by_directory extends Migration {
  override up(): void {
    this.addSql('alter table external_account add column turned_off timestamptz');
  }
}
