import { Migration } from '@mikro-orm/migrations';

/** A webhook has one replay under way at most. */
export class Migration20261121143000_one_replay extends Migration {
  override up(): void {
    this.addSql(`create unique index webhook_replay_one on webhook_replay (webhook_id) where status in ('pending', 'running')`);
    this.addSql('create index webhook_delivery_replay on webhook_delivery (replay_id) where replay_id is not null');
  }
}
