import { Migration } from '@mikro-orm/migrations';

export class Migration20261122200948_wider_choices extends Migration {
  override up(): void {
    this.addSql(`alter table "dcim_consoleserverport" alter column "speed" type integer using ("speed"::integer)`);
    this.addSql(`alter table "dcim_consoleport" alter column "speed" type integer using ("speed"::integer)`);
  }
}
