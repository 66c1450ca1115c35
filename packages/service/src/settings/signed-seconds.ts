/**
 * How long a signed statement may be valid at most, whoever signed it, in seconds. It is in a file of its own so that
 * code that reads settings need not load the code for signing.
 */
export const MAX_SECONDS = 60;
