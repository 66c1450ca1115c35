import type { PageRequest } from '../../../context/pageRequest.ts';

/** The policy, as the API describes it. */
interface Policy {
  min_length: number;
  max_length: number;
  character_classes: boolean;
  refuses_guessable: boolean;
}

/** The rules for a new password, for a user who is about to choose one. */
export async function passwordHelp({ api, texts }: Pick<PageRequest, 'api' | 'texts'>): Promise<string> {
  const policy = await api.get<Policy>('/api/users/password/');
  return [
    texts('passwordLength', { least: policy.min_length, most: policy.max_length }),
    ...(policy.character_classes ? [texts('passwordClasses')] : []),
    ...(policy.refuses_guessable ? [texts('passwordGuessable')] : []),
  ].join(' ');
}
