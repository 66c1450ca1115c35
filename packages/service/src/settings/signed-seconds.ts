/**
 * The longest that a signed statement may count, whoever signed it, in seconds. It has a file of its own, as settings
 * are read where nothing is signed, without what signs.
 */
export const MAX_SECONDS = 60;
