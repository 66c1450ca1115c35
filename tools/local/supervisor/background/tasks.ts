// The tasks of the process of background.ts. Each loads its code when it is first called.
import type { Answer } from './answer.ts';
import { cacheStart } from './start-cache.ts';

cacheStart();
const tasks = {
  startSettings: async (...args: Parameters<typeof import('../postgres/start-settings.ts').startSettings>) =>
    (await import('../postgres/start-settings.ts')).startSettings(...args),
  readSecrets: async (dataDir: string, services: readonly string[]) => {
    const { keepSecrets, sharedKeys } = await import('../data/secrets.ts');
    const secrets = keepSecrets(dataDir, services);
    return { secrets, shared: sharedKeys(secrets) };
  },
  prepareServer: async (...args: Parameters<typeof import('../postgres/servers.ts').prepareServer>) =>
    (await import('../postgres/servers.ts')).prepareServer(...args),
  ownDatabases: async (...args: Parameters<typeof import('../../embedded-postgres/owners.ts').ownDatabases>) =>
    (await import('../../embedded-postgres/owners.ts')).ownDatabases(...args),
  isRefused: async (...args: Parameters<typeof import('../processes/refused.ts').isRefused>) =>
    (await import('../processes/refused.ts')).isRefused(...args),
};
export type Tasks = typeof tasks;

type Asked = { readonly id: number; readonly name: keyof Tasks; readonly args: readonly never[] };
// The process that gave these tasks has ended.
process.once('disconnect', () => process.exit());
process.on('message', async (asked) => {
  const { id, name, args } = asked as Asked;
  const task: (...args: readonly never[]) => Promise<unknown> = tasks[name];
  const answer: Answer = await task(...args).then(
    (value) => ({ id, value }),
    ({ name: kind, message }: Error) => ({ id, error: { name: kind, message } }),
  );
  if (process.connected) process.send?.(answer);
});
