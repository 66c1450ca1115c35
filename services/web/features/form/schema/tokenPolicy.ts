import type { PageRequest } from '../../../context/pageRequest.ts';

/** The policy, as the API describes it. */
interface Policy {
  max_days: number | null;
  idle_days: number | null;
}

/** How long a token may be valid, for a user who is about to create one. */
export async function tokenHelp({ api, texts }: Pick<PageRequest, 'api' | 'texts'>): Promise<string> {
  const { max_days: most, idle_days: idle } = await api.get<Policy>('/api/users/tokens/policy/');
  return [
    most === null ? texts('tokenEndless') : texts('tokenMaxDays', { days: most }),
    ...(idle === null ? [] : [texts('tokenIdleDays', { days: idle })]),
  ].join(' ');
}
