/**
 * Of a row of `user_config`, in SQL: tells one content from another, so who remembers a configuration under it need not ask for
 * it again.
 */
export const configVersion = 'md5(data::text)';
