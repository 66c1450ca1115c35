/** Texts of the home page, the search, accounts, and the API as pages. */
export const everywhere = {} as const;
