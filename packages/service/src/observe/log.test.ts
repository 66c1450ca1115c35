import { expect, test } from '@jest/globals';
import { createLog, withRequestId } from './log.ts';
import { Secret } from '../settings/secret.ts';

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

test('what a client has sent makes no line of its own', () => {
  const { lines, log } = collect('pretty');
  const forged = 'x\n99:99:99.000 info  auth      somebody logged in\r\u001b[2J\u2028';
  log.info({ url: forged, about: { [forged]: forged }, [forged]: 1 }, forged);
  log.warn({ err: { message: forged } }, 'odd');
  log.error(new Error(forged));
  for (const line of lines.join('').slice(0, -1).split('\n')) {
    expect(line).not.toMatch(/^99:/);
    for (const character of '\r\u001b\u2028') expect(line).not.toContain(character);
  }
  expect(lines.slice(0, 2).map((line) => line.split('\n').length)).toEqual([2, 2]);
  expect(lines[0]).toContain('url=x\\u000a99:99:99.000 info');
});
