import { Migration } from '@mikro-orm/migrations';

/** Which sessions began at a provider of identities, and what may be used only once (`until` it would not count anyway). */
export class Migration20261124000200_oidc_sessions extends Migration {
  override up(): void {
    this.addSql(`create table oidc_session (
      session_id bigint primary key references user_session on delete cascade,
      issuer text not null, subject text not null, sid text, id_token text not null)`);
    this.addSql('create index oidc_session_subject on oidc_session (issuer, subject)');
    this.addSql('create table used_once (key text primary key, until timestamptz not null)');
    this.addSql('create index used_once_until on used_once (until)');
  }
}
