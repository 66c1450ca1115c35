/**
 * Where the tables of NetBox 4.6 are not what follows from the declarations of our models. Everything else is read by
 * rule (`members.ts`).
 */

/** Columns that are called otherwise than the field, by type. */
export const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Its API calls the values of a profile's attributes by another name than its table.
  'dcim.moduletype': { attributes: 'attribute_data' },
  // The table is one of a library (django-taggit), which has its own names.
  'extras.taggeditem': { object_type: 'content_type_id' },
};

/** Columns without a field of ours whose loss need not be reported, by type. */
export const PASSED_OVER: Readonly<Record<string, readonly string[]>> = {
  // A secret: tokens come with the accounts only.
  'users.token': ['plaintext'],
  // Permissions of Django itself, which NetBox does not use: it has its own.
  'users.group': ['permissions'],
  'users.user': ['user_permissions'],
};

/** Columns that hold secrets where another column is missing, by type and name. */
export const SECRET_WITHOUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Before NetBox 4.5 tokens had no versions, and their key was the token itself.
  'users.token': { key: 'version' },
};

/**
 * Fields that hold what other objects were, and the field with the type of those: its API leaves out of them what says
 * nothing to people (`snapshots.ts`).
 */
export const SNAPSHOTS: Readonly<Record<string, { type: string; fields: readonly string[] }>> = {
  'core.objectchange': { type: 'changed_object_type', fields: ['prechange_data', 'postchange_data'] },
};

/** Columns of what knows when it was changed: a change record need not say so again. */
export const TIMES: readonly string[] = ['created', 'last_updated'];

/** Where a tree is kept in order; ours has columns of its own for that. */
export const TREE_COLUMNS: readonly string[] = ['lft', 'rght', 'tree_id', 'level'];

/** Tables that NetBox fills for itself: nobody misses what is in them. Apps, or types. */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
  // Django's own: what types there are, its rights (NetBox has its own), sessions, who did what in its admin pages.
  'contenttypes',
  'auth',
  'sessions',
  'admin',
  // Of libraries: half-done logins, thumbnails, tags (NetBox has tables of its own).
  'social_django',
  'thumbnail',
  'taggit',
  // What users have chosen for the pages comes with their accounts.
  'users.userconfig',
  // What its search finds, made of the objects.
  'extras.cachedvalue',
  // Which objects are renewed from which files, made of the objects.
  'core.autosyncrecord',
]);
