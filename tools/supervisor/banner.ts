export type BannerFacts = {
  readonly port: number;
  readonly host: string | undefined;
  readonly username: string;
  /** Shown only when they were generated and never shown before. */
  readonly password?: string;
  readonly apiToken?: string;
  /** Whether the administrator chose the password or token, which are then known and not shown. */
  readonly given: { readonly password: boolean; readonly apiToken: boolean };
  /** Generated credentials were not taken, because the database had the user already. */
  readonly existed: boolean;
  readonly dataDir: string;
  readonly embedded: boolean;
  readonly seconds: number;
};

/** What `npm start` prints when everything runs. */
export function banner(facts: BannerFacts): string {
  const anyHost = facts.host === undefined || facts.host === '0.0.0.0' || facts.host === '::';
  const host = anyHost ? 'localhost' : facts.host?.includes(':') ? `[${facts.host}]` : facts.host;
  const base = `http://${host}:${facts.port}`;
  const token = facts.apiToken ?? (facts.given.apiToken ? '$SUPERUSER_API_TOKEN' : '$TOKEN');
  return [
    '',
    `Cadastre is ready after ${facts.seconds.toFixed(1)} s.`,
    '',
    `  API            ${base}/api/`,
    `  documentation  ${base}/api/schema/swagger-ui/`,
    `  login          ${facts.username} / ${facts.password ?? (facts.given.password ? 'as in SUPERUSER_PASSWORD' : 'the password set before')}`,
    `  API token      ${facts.apiToken ?? (facts.given.apiToken ? 'as in SUPERUSER_API_TOKEN' : 'one of those made before')}`,
    ...(facts.password || facts.apiToken ? ['                 (generated; shown this once, keep it)'] : []),
    ...(facts.existed ? ['                 (the database has this user already; its password and tokens stay as they are)'] : []),
    '',
    `  curl -H "Authorization: Token ${token}" ${base}/api/dcim/sites/`,
    ...(token === '$TOKEN' ? [`  TOKEN comes from: curl -X POST -H "Content-Type: application/json" -d '{"username": "${facts.username}", "password": "..."}' ${base}/api/users/tokens/provision/`, '  (there the header is "Authorization: Bearer svc_<key>.<token>")'] : []),
    '',
    '  webhooks       npm run receiver prints what is sent to http://localhost:9000/',
    `  data           ${facts.embedded ? `${facts.dataDir} (PostgreSQL included)` : facts.dataDir}`,
    '  stop           Ctrl-C',
    '', '',
  ].join('\n');
}
