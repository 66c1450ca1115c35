import { type ActionHandler, notPermitted, recordOf } from '@cadastre/rest';
import type { Config } from '@cadastre/service/config';

const READ = { Allow: 'GET, HEAD, OPTIONS' };

export type TokenPolicySettings = Pick<
  Config,
  | 'tokenMaxDays'
  | 'tokenIdleDays'
  | 'tokenWarnDays'
  | 'tokenRotationSeconds'
  | 'tokenRotationMaxSeconds'
  | 'apiTokensPerUser'
>;

const count = (description: string) => ({ type: 'integer', description }) as const;
const orNone = (description: string) => ({ ...count(description), nullable: true }) as const;

const answer = recordOf({
  max_days: orNone('Within so many days a new token has to expire; null where it need not.'),
  default_days: orNone('After so many days a new token expires that says nothing; null where it does not.'),
  idle_days: orNone('After so many days without a use a token counts no longer; null where that does not matter.'),
  warn_days: {
    type: 'array',
    items: { type: 'integer' },
    description: 'So many days before the end its user is warned.',
  },
  rotation_seconds: count('For so long a token goes on that another took the place of, if the request does not say.'),
  rotation_max_seconds: count('The longest that a request may say.'),
  per_user: count('So many tokens a user may have.'),
});

/** GET /api/users/tokens/policy/: how long tokens may last, for a user who is about to make one. */
export function tokenPolicy(settings: TokenPolicySettings): ActionHandler {
  const { tokenMaxDays, tokenIdleDays } = settings;
  const body = JSON.stringify({
    max_days: tokenMaxDays || null,
    // The latest end that is allowed is the one that a token gets.
    default_days: tokenMaxDays || null,
    idle_days: tokenIdleDays || null,
    warn_days: settings.tokenWarnDays,
    rotation_seconds: settings.tokenRotationSeconds,
    rotation_max_seconds: settings.tokenRotationMaxSeconds,
    per_user: settings.apiTokensPerUser,
  });
  return {
    methods: ['GET', 'HEAD', 'OPTIONS'],
    operations: { GET: { summary: 'Get how long tokens may last', answer } },
    async handle({ method, who }) {
      if (method === 'OPTIONS') return { status: 200, headers: READ, body: '{}' };
      if (who.userId === null) throw notPermitted(who);
      return { status: 200, headers: READ, body };
    },
  };
}
