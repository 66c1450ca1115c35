import { expect, test } from '@jest/globals';
import { html } from '../markup/html.ts';
import { inLanguage, numberText, speaker } from './language.ts';

const { say, put } = speaker({ de: { 'Send {count} to {to}': 'An {to} {count} senden', Stop: 'Halt' } });
const inGerman = <T>(work: () => T): T => inLanguage({ code: 'de', locale: 'de-DE' }, work);

test('texts are said in the language of whoever reads, with values in their places', () => {
  const said = () => [say('Stop'), say('Send {count} to {to}', { count: 3, to: 'X' }), numberText(12_345)];
  expect([said(), inGerman(said)]).toEqual([
    ['Stop', 'Send 3 to X', '12,345'],
    ['Halt', 'An X 3 senden', '12.345'],
  ]);
  expect(inLanguage({ code: 'fr', locale: 'fr' }, () => say('Stop'))).toBe('Stop');
});

test('markup stands where the language wants it; everything else is escaped', () =>
  expect(inGerman(() => String(put('Send {count} to {to}', { count: '<b>', to: html`<b>X</b>` })))).toBe(
    'An <b>X</b> &lt;b&gt; senden',
  ));
