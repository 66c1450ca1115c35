import type { PageRequest } from '../../../context/pageRequest.ts';

/** As the API tells it. */
interface Policy {
  max_days: number | null;
  idle_days: number | null;
}

/** How long a token may last, for a user who is about to make one. */
export async function tokenHelp({ api, texts }: Pick<PageRequest, 'api' | 'texts'>): Promise<string> {
  const { max_days: most, idle_days: idle } = await api.get<Policy>('/api/users/tokens/policy/');
  return [
    most === null ? texts('tokenEndless') : texts('tokenMaxDays', { days: most }),
    ...(idle === null ? [] : [texts('tokenIdleDays', { days: idle })]),
  ].join(' ');
}
