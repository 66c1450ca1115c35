import { Migration } from '@mikro-orm/migrations';

export class Migration20261121135715_remember_names extends Migration {
  override up(): void {
    this.addSql(`alter table "extras_notification" add "object_repr" varchar(200) not null default ''`);
  }
}
