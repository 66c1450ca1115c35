import { expect, test } from '@jest/globals';
import { checkContentType, checkHeaders, checkUrl } from './check.ts';

test.each([
  'http://127.0.0.1:9000/{{ object_type }}',
  'https://user:pw@[::1]:8443/a?b={{ data.name | urlencode }}#c',
  '{{ data.custom_fields.url }}',
  'http://{{ data.name }}.example.org/',
  'http://web{{ n }}:{{ port }}',
  'http://[{{ address }}]/',
  '{% if data.name %}http://a/{% else %}http://b/{% endif %}',
  ' http://example.org ',
  'HTTP://example.org',
  'http://münchen.example/',
  '{# which? #}http://a/',
])('%s may become a URL', (text) => expect(checkUrl(text)).toBeNull());

test.each([
  ['', 'Not a URL: "".'],
  ['example.org/hook', 'Not a URL: "example.org/hook".'],
  ['http://', 'Not a URL: "http://".'],
  ['http://a:99999/', 'Not a URL: "http://a:99999/".'],
  ['http://a b/', 'Not a URL: "http://a b/".'],
  ['ftp://example.org/', 'Only http and https are supported, not ftp.'],
  ['file:///etc/passwd', 'Only http and https are supported, not file.'],
  ['javascript:{{ x }}', 'Only http and https are supported, not javascript.'],
  ['example.org:8080/{{ x }}', 'Only http and https are supported, not example.org.'],
  ['/{{ x }}', 'Not a URL: "/1".'],
])('%s may not', (text, message) => expect(checkUrl(text)).toBe(message));

test('header lines are looked at around their templates', () => {
  for (const text of [
    '',
    '\n\n',
    'X-A: 1\r\nX-B: {{ data.name }}',
    'X-{{ event }}: {{\n data.name\n}}',
    '{% if a %}\nX-A: 1\n{% endif %}',
    '{{ all_of_them }}',
    '{#\nX\n#}X-A: 1',
  ])
    expect([text, checkHeaders(text)]).toEqual([text, null]);
  expect(checkHeaders('X-A: 1\n{% if a\n %}\nno colon\n{% endif %}')).toBe(
    'Line 4: expected a header as "Name: value", got "no colon".',
  );
  expect(checkHeaders('X A: {{ b }}')).toBe('Line 1: a header cannot be named "X A".');
  expect(checkHeaders('X-A: 1\nHost: b\nTransfer-Encoding: chunked')).toBe(
    'Line 3: the header Transfer-Encoding cannot be set.',
  );
  expect(checkHeaders('X-A: \u0007')).toBe('Line 1: the value of X-A has control characters.');
});

test('a type of body is one line', () => {
  expect(checkContentType('application/json; charset=utf-8')).toBeNull();
  expect(checkContentType('a\r\nX: 1')).toMatch(/control characters/);
});
