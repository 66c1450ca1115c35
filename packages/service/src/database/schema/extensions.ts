/** Extensions of PostgreSQL that the columns and indexes of any model may need. */
export const extensions = ['citext', 'pg_trgm', 'btree_gist'];
