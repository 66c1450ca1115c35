import { Migration } from '@mikro-orm/migrations';

/** Which stamp sessions have that began before a password was hashed at another cost: those go on. */
export class Migration20261124002000_kept_stamps extends Migration {
  override up(): void {
    this.addSql(`create table kept_stamp (
      user_id bigint not null primary key references users_user on delete cascade, hash text not null, stamp text not null)`);
  }
}
