import { afterAll, expect, test } from '@jest/globals';
import { openAside } from './background.ts';

const aside = openAside();
afterAll(() => aside.end());

test('what is asked for is answered, also when several ask at once', async () => {
  const [first, second] = await Promise.all([
    aside.run('startSettings', { PORT: '8123' }, ['dcim']),
    aside.run('startSettings', { PORT: '8124', DCIM_DATABASE_URL: 'postgres://there/cadastre_dcim' }, ['dcim']),
  ]);
  expect([first.port, first.embedded, first.databases]).toEqual([8123, true, ['cadastre_dcim', 'cadastre_events']]);
  expect([second.port, second.databases]).toEqual([8124, ['cadastre_events']]);
  expect(second.servers).toMatchObject([{ variable: 'DCIM_DATABASE_URL', databases: ['cadastre_dcim'] }]);
});

test('an error comes as what it is', async () => {
  await expect(aside.run('startSettings', { PORT: 'x', PROCESSES: 'some' }, [])).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/PORT must be.*PROCESSES must be a number from 1, or each/s),
  });
});

test('nobody waits for a process that has ended', async () => {
  const other = openAside();
  const asked = other.run('prepareServer', { variable: 'X', url: 'postgres://127.0.0.1:1/', databases: [] }, 60_000);
  other.end();
  await expect(asked).rejects.toThrow('has ended');
});
