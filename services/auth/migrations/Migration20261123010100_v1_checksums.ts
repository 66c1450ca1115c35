import { Migration } from '@mikro-orm/migrations';

/** Tokens of version 1 are kept as checksums. The peppers are not known here, so those that are there have one without. */
export class Migration20261123010100_v1_checksums extends Migration {
  override up(): void {
    this.addSql(`alter table "users_token" add column "checksum" varchar(64) null, add column "ending" varchar(6) null`);
    this.addSql(`update "users_token" set "checksum" = encode(sha256(convert_to("plaintext", 'UTF8')), 'hex'), "ending" = right("plaintext", 6) where "plaintext" is not null`);
    this.addSql(`alter table "users_token" drop column "plaintext"`);
    this.addSql(`create unique index "users_token_checksum_uniq" on "users_token" ("checksum") where checksum is not null`);
  }
}
