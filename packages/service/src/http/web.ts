// What the gateway says to the service that renders the web pages, besides who asks. Inside an installation only.

/** The name of that service. */
export const webService = 'web';

/** The CSRF token that the forms of a page have to bring along, before all other fields. */
export const csrfHeader = 'x-cadastre-csrf-token';
/** The field of a form that holds it; scripts send it as a header. */
export const csrfField = 'csrf_token';
export const csrfScriptHeader = 'x-csrf-token';

/** What had failed before the login that this page follows: `{count, last, address}` as JSON. */
export const failuresHeader = 'x-cadastre-failed-logins';

/** Files that everybody may have: styles and scripts, by addresses that change with what is in them. */
export const assetsPath = '/static/web/';

/** An answer of the gateway's own that is to become a page: `{status, body}` as JSON, deflated, in base64. */
export const answerHeader = 'x-cadastre-answer';

/**
 * Whether a field of a form may travel through a page again: not what is secret, or is a password that is typed a second
 * time, and not the CSRF token, which belongs to one session.
 */
export const isResubmittable = (name: string): boolean =>
  name !== csrfField && !/pass(word|phrase)|secret|token|psk|(^|_)key$|^again$/i.test(name);
