import { Migration } from '@mikro-orm/migrations';

/** What is inserted into these indexes goes where it belongs at once: every new end of a cable looks for the paths that it
 * is on, and would read the list of all that waits to be put there for each of them. */
export class Migration20261123164000_paths_found_at_once extends Migration {
  override up(): void {
    for (const column of ['seen', 'origin_ids', 'destination_ids']) {
      this.addSql(`alter index "dcim_cablepath_${column}_idx" set (fastupdate = off)`);
      this.addSql(`select gin_clean_pending_list('dcim_cablepath_${column}_idx')`);
    }
  }
}
