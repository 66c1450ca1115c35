/** What comes with an object besides its own fields. */
export type Feature =
  | 'tags'
  | 'customFields'
  | 'changeLogging'
  | 'eventRules'
  | 'journaling'
  | 'imageAttachments'
  | 'contacts'
  | 'bookmarks'
  | 'notifications'
  | 'exportTemplates'
  | 'customLinks'
  | 'cloning'
  | 'owner'
  | 'timestamps';
