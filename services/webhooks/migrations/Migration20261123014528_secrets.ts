import { Migration } from '@mikro-orm/migrations';

export class Migration20261123014528_secrets extends Migration {
  override up(): void {
    this.addSql(`alter table "extras_webhook" add "secrets" jsonb not null default '{}', add "credentials" text not null default ''`);
    this.addSql(`alter table "extras_webhook" alter column "secret" type text using ("secret"::text)`);
  }
}
