import { expect, test } from '@jest/globals';
import { createLog, withRequestId } from './log.ts';
import { Secret } from './secret.ts';

const collect = (logFormat: 'json' | 'pretty') => {
  const lines: string[] = [];
  return {
    lines,
    log: createLog(
      'dcim',
      { logLevel: 'info', logFormat },
      {
        write: (line) => {
          lines.push(line);
        },
      },
    ),
  };
};

test('a line names the service and the request, and hides secrets', () => {
  const { lines, log } = collect('json');
  withRequestId('r-1', () =>
    log.info(
      { password: 'hidden', headers: { authorization: 'hidden' }, secret: new Secret('hidden'), size: 3 },
      'hello',
    ),
  );
  expect(lines.join('')).not.toContain('hidden');
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'info',
    service: 'dcim',
    request_id: 'r-1',
    msg: 'hello',
    size: 3,
  });
});

test('pretty lines are for people', () => {
  const { lines, log } = collect('pretty');
  log.info({ size: 3 }, 'hello');
  log.error(new Error('broken'));
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}dcim {6}hello size=3\n$/);
  expect(lines[1]).toContain('Error: broken\n    at ');
});
