/** Texts of forms row by row, and of what a deletion would do. */
export const models = {
  addRow: 'Add a row',
  dropRow: 'Remove',
} as const;
