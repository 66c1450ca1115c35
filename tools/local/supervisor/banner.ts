export type BannerFacts = {
  readonly port: number;
  readonly host: string | undefined;
  /** Clients come by TLS. */
  readonly secure: boolean;
  readonly username: string;
  /** Shown only when they were generated and never shown before. */
  readonly password?: string;
  readonly apiToken?: string;
  /** Whether the administrator chose the password or token, so that it is known and not shown. */
  readonly given: { readonly password: boolean; readonly apiToken: boolean };
  /** Generated credentials were not used, because the database had the user already. */
  readonly existed: boolean;
  readonly dataDir: string;
  readonly seconds: number;
};

/** The address at which this machine reaches a port that listens on `host`. */
export function baseOf(port: number, host: string | undefined, secure: boolean): string {
  const anyHost = host === undefined || host === '0.0.0.0' || host === '::';
  return `http${secure ? 's' : ''}://${anyHost ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What `npm start` prints when everything runs. */
export function banner(facts: BannerFacts): string {
  const base = baseOf(facts.port, facts.host, facts.secure);
  return [
    '',
    `Cadastre is ready after ${facts.seconds.toFixed(1)} s. Its data is in ${facts.dataDir}. Ctrl-C stops it.`,
    '',
    `  API         ${base}/api/  (documentation: ${base}/api/schema/swagger-ui/)`,
    `  web pages   ${base}/`,
    `  login       ${facts.username} / ${facts.password ?? passwordOf(facts)}`,
    `  API token   ${facts.apiToken ?? (facts.given.apiToken ? 'as in SUPERUSER_API_TOKEN' : 'one of those made before; npm run admin -- token makes another')}`,
    ...(facts.password || facts.apiToken ? ['              (generated; shown this once, keep it)'] : []),
    ...(facts.existed
      ? ['              (the database has this user already; its password and tokens stay as they are)']
      : []),
    '',
    `  curl -H "Authorization: ${authorization(facts, base)}" ${base}/api/dcim/sites/`,
    '',
    '  npm run demo       fills in a small network to look at',
    '  npm run receiver   prints the webhooks that are sent to http://localhost:9000/',
    '',
    '',
  ].join('\n');
}

/** SUPERUSER_PASSWORD has no effect, either, once there is a user. */
const passwordOf = ({ given, username }: BannerFacts): string =>
  `${given.password ? 'as in SUPERUSER_PASSWORD at the first start' : 'the password set before'}; lost: npm run admin -- users reset-password ${username}`;

/**
 * Makes the printed line work as it stands: it contains the token itself, the variable with it, or a command that asks
 * for the password.
 */
function authorization({ apiToken, given, username }: BannerFacts, base: string): string {
  if (apiToken !== undefined) return `Token ${apiToken}`;
  if (given.apiToken) return 'Token $SUPERUSER_API_TOKEN';
  return `$(npm run -s admin -- token --url ${base}${username === 'admin' ? '' : ` --user ${username}`})`;
}
