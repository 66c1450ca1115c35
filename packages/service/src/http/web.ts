// What the gateway passes to the service that renders the web pages, besides the identity. Used inside an installation
// only.

/** The name of that service. */
export const webService = 'web';

/** The CSRF token that a page's forms have to send, before all other fields. */
export const csrfHeader = 'x-cadastre-csrf-token';
/** The form field that holds it; scripts send it as a header. */
export const csrfField = 'csrf_token';
export const csrfScriptHeader = 'x-csrf-token';

/** The failed logins before the login that this page follows: `{count, last, address}` as JSON. */
export const failuresHeader = 'x-cadastre-failed-logins';

/** Files that need no login: styles and scripts, whose addresses change with their contents. */
export const assetsPath = '/static/web/';

/** An answer of the gateway's own that is to become a page: `{status, body}` as JSON, deflated, in base64. */
export const answerHeader = 'x-cadastre-answer';

/**
 * Whether a form field may be sent back to the browser in a page: not secrets, nor a repeated password, nor the CSRF
 * token, which belongs to one session.
 */
export const isResubmittable = (name: string): boolean =>
  name !== csrfField && !/pass(word|phrase)|secret|token|psk|(^|_)key$|^again$/i.test(name);
