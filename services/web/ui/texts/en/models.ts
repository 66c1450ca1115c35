/** Texts of forms with rows, and of the consequences of a deletion. */
export const models = {
  addRow: 'Add a row',
  dropRow: 'Remove',
  wouldClash: 'These would no longer be unique',
  wouldClashHint: 'Change these first: without what they refer to they would be the same as others.',
} as const;
