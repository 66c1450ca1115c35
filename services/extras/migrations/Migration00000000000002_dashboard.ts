import { Migration } from '@mikro-orm/migrations';

/** How users' start pages are laid out: no model, as nobody but the user sees it. */
export class Migration00000000000002_dashboard extends Migration {
  override up(): void {
    this.addSql(`create table "dashboard" ("user_id" bigint not null primary key, "layout" jsonb not null, "config" jsonb not null)`);
  }
}
