/** Texts of forms and imports. */
export const forms = {} as const;
