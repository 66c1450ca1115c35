/** Texts of the pages of one object. */
export const objects = {} as const;
