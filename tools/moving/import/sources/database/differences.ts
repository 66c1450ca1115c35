/**
 * Where the tables of NetBox 4.6 differ from what follows from the declarations of our models. Everything else is read
 * by rule (`members.ts`).
 */

/** Columns that are named differently from the field, by type. */
export const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Its API calls the values of a profile's attributes by another name than its table.
  'dcim.moduletype': { attributes: 'attribute_data' },
  // The table is that of a library (django-taggit), which has names of its own.
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
 * Fields that hold snapshots of other objects, and the field with the type of those: NetBox's API leaves internal
 * members out of them (`snapshots.ts`).
 */
export const SNAPSHOTS: Readonly<Record<string, { type: string; fields: readonly string[] }>> = {
  'core.objectchange': { type: 'changed_object_type', fields: ['prechange_data', 'postchange_data'] },
};

/** Columns with the times of changes: a change record has its own time, so its snapshots do not repeat them. */
export const TIMES: readonly string[] = ['created', 'last_updated'];

/** Columns that keep the order of trees; ours has columns of its own for that. */
export const TREE_COLUMNS: readonly string[] = ['lft', 'rght', 'tree_id', 'level'];

/** Tables that NetBox fills itself, so nothing is lost without them. Apps, or types. */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
  // Django's own: content types, permissions (NetBox has its own), sessions, the log of its admin pages.
  'contenttypes',
  'auth',
  'sessions',
  'admin',
  // Of libraries: half-done logins, thumbnails, tags (NetBox has tables of its own).
  'social_django',
  'thumbnail',
  'taggit',
  // The preferences of users are imported with their accounts.
  'users.userconfig',
  // The search index, derived from the objects.
  'extras.cachedvalue',
  // Which objects are synchronised with which files, derived from the objects.
  'core.autosyncrecord',
]);
