/** Texts of lists, their filters, and of what is done to several objects at once. */
export const lists = {} as const;
