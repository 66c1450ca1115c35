import { Migration } from '@mikro-orm/migrations';

export class Migration20261121122509_tags_go_alone extends Migration {
  override up(): void {
    this.addSql(`alter table "extras_taggeditem" drop constraint "extras_taggeditem_tag_id_fk"`);
  }
}
