import { renameTable } from '@cadastre/model';
import { Migration } from '@mikro-orm/migrations';

/** Names of the glossary for what is kept of logins. */
export class Migration20261128010001_login_table_names extends Migration {
  override up(): void {
    for (const statement of [
      ...renameTable('kept_form', 'pending_form', 'pkey', 'address'),
      ...renameTable('kept_stamp', 'password_stamp', 'pkey'),
    ])
      this.addSql(statement);
  }
}
