import pg from 'pg';

/** The tables that a small NetBox has, with a few objects in each. */
const TABLES = `
  create table django_content_type (id int primary key, app_label varchar(100) not null, model varchar(100) not null);
  insert into django_content_type values
    (1, 'dcim', 'site'), (2, 'extras', 'tag'), (3, 'vpn', 'tunnel'), (4, 'sessions', 'session'), (5, 'vpn', 'ikepolicy'),
    (6, 'dcim', 'region'), (7, 'core', 'objectchange');
  create table extras_customfield (id bigint primary key, name varchar(50) not null, type varchar(50) not null);
  create table extras_customfield_object_types (id bigint primary key, customfield_id bigint, contenttype_id int);
  insert into extras_customfield values 
    (1, 'colour', 'text'), (2, 'floor', 'integer'), (3, 'elsewhere', 'text'), (4, 'seen', 'datetime');
  insert into extras_customfield_object_types values (1, 1, 1), (2, 2, 1), (3, 3, 2), (4, 4, 1);
  create table extras_taggeditem (id bigint primary key, object_id int, content_type_id int, tag_id bigint);
  insert into extras_taggeditem values (1, 2, 1, 9), (2, 2, 1, 4), (3, 2, 2, 7);
  create table dcim_region (id bigint primary key, name varchar(100) not null, lft int not null, rght int not null,
    tree_id int not null, level int not null, parent_id bigint, created timestamptz, last_updated timestamptz);
  create table dcim_site (id bigint primary key, name varchar(100) not null, status varchar(50) not null,
    time_zone varchar(63), latitude numeric(8,6), region_id bigint, _hidden int, custom_field_data jsonb not null,
    created timestamptz, last_updated timestamptz, colour_of_door text, _abs_height int);
  insert into dcim_site (id, name, status, time_zone, latitude, region_id, custom_field_data, created, colour_of_door)
    select id, 'site ' || id, 'active', '', 47.5, null, '{"floor": 3, "gone": true, "seen": "2026-01-31 08:00+00:00"}', '2026-01-31 09:00:00.5+01', ''
    from generate_series(1, 25) id;
  update dcim_site set region_id = 6, colour_of_door = 'red' where id = 2;
  create table dcim_site_asns (id bigint primary key, site_id bigint not null, asn_id bigint not null);
  insert into dcim_site_asns values (1, 2, 30), (2, 2, 20), (3, 3, 20);
  create table dcim_site_shelves (id bigint primary key, site_id bigint not null, shelf_id bigint not null);
  insert into dcim_site_shelves values (1, 2, 5);
  create table vpn_tunnel (id bigint primary key, name varchar(100) not null, secret text);
  insert into vpn_tunnel values (4, 'to the moon', 'TEST-VALUE-DO-NOT-USE');
  create table vpn_ikepolicy (id bigint primary key, name varchar(100) not null);
  create table sessions_session (id bigint primary key);
  insert into sessions_session values (1);
  create table core_objectchange (id bigint primary key, changed_object_type_id int, changed_object_id bigint,
    prechange_data jsonb, postchange_data jsonb);
  insert into core_objectchange values
    (1, 6, 1, null, '{"name": "r", "created": "x", "last_updated": "x", "level": 1, "lft": 1, "rght": 2, "tree_id": 1, "_p": 1}'),
    (2, 3, 4, '{"name": "t", "created": "x", "level": 7}', null);
  create table users_user (id int primary key, username varchar(150), password varchar(128), is_superuser boolean,
    is_active boolean, first_name varchar(150), last_name varchar(150), email varchar(254), date_joined timestamptz,
    last_login timestamptz);
  insert into users_user values (3, 'ann', 'pbkdf2_sha256$1$salt$TEST-VALUE-DO-NOT-USE', true, true, 'Ann', '"\\', '', now(), null);
  create table users_userconfig (id bigint primary key, data jsonb not null, user_id int not null);
  insert into users_userconfig values (1, '{"ui": {"colormode": "dark"}}', 3);
  create table users_token (id bigint primary key, created timestamptz, expires timestamptz, last_used timestamptz,
    key varchar(40), write_enabled boolean, description varchar(200), user_id int, allowed_ips cidr[]);
  insert into users_token values
    (8, now(), null, null, 'TEST-VALUE-DO-NOT-USE', true, E'two\\nlines', 3, '{10.0.0.0/8,::1/128}');
`;

/** Fills an empty database as that of a small NetBox; its tokens are as before 4.5. */
export async function smallNetBox(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(TABLES);
  } finally {
    await client.end();
  }
}
