import { Migration } from '@mikro-orm/migrations';

/**
 * What users prove besides their passwords, and when those of sessions have proved last who they are: of sessions from
 * before, when they began.
 */
export class Migration20261124000500_second_factors extends Migration {
  override up(): void {
    this.addSql(`create table user_factor (
      id bigint generated always as identity primary key, user_id bigint not null references users_user on delete cascade,
      kind text not null check (kind in ('totp', 'passkey')), name text not null,
      created timestamptz not null default now(), last_used timestamptz,
      secret text, last_step bigint,
      credential text unique, public_key bytea, sign_count bigint, transports text[], rp_id text)`);
    this.addSql('create index user_factor_user on user_factor (user_id)');
    this.addSql(`create table recovery_code (
      user_id bigint not null references users_user on delete cascade, digest text not null,
      created timestamptz not null default now(), used timestamptz, primary key (user_id, digest))`);
    this.addSql(`create table factor_enrolment (
      key text primary key, user_id bigint not null references users_user on delete cascade, session bigint not null,
      kind text not null, name text not null, secret text not null, until timestamptz not null)`);
    this.addSql('create index factor_enrolment_user on factor_enrolment (user_id)');
    this.addSql('create table used_challenge (key text primary key, until timestamptz not null)');
    this.addSql('create index used_challenge_until on used_challenge (until)');
    this.addSql(`alter table user_session add column method text not null default 'password', add column proved timestamptz`);
    this.addSql('update user_session set proved = created');
    this.addSql('alter table user_session alter column proved set not null, alter column proved set default now()');
  }
}
