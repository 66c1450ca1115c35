/**
 * An SQL expression for the version of a row of `user_config`: it changes with the content, so a cached configuration
 * of the same version is still valid.
 */
export const configVersion = 'md5(data::text)';
