import { Migration } from '@mikro-orm/migrations';

/** Users' preferences: no model, as nobody but the user sees them. */
export class Migration00000000000001_user_config extends Migration {
  override up(): void {
    this.addSql(`create table "user_config" ("user_id" bigint not null primary key, "data" jsonb not null)`);
  }
}
