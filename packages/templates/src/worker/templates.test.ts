import { describe, expect, test } from '@jest/globals';
import { checkTemplate } from '../language/parse.ts';
import { compileTemplate } from './sandbox.ts';

const context = {
  event: 'created',
  username: 'admin',
  object_type: 'dcim.site',
  data: {
    name: 'BER-1',
    tags: [
      { name: 'Alpha', slug: 'alpha' },
      { name: 'Bravo', slug: 'bravo' },
    ],
    none: null,
    on: true,
    empty: [],
    cf: { tier: 'gold', floors: 3 },
    n: 5,
    note: 'a\r\nEvil: 1\u0000',
  },
};
const render = (template: string) => compileTemplate(template)(context);

describe('what templates say', () => {
  test.each([
    ['{"text": "{{ username }} {{ event }} {{ data.name }}"}', '{"text": "admin created BER-1"}'],
    ['[{{ data.missing }}{{ data.missing.deeper }}] {{ data.none }} {{ data.on }}', '[] None True'],
    ['{{ data.cf }} {{ data.tags[0] }}', "{'tier': 'gold', 'floors': 3} {'name': 'Alpha', 'slug': 'alpha'}"],
    ['{% if data.empty %}yes{% else %}no{% endif %} {{ data.empty or "nothing" }}', 'no nothing'],
    ['{% for key, value in data.cf.items() %}{{ key }}={{ value }};{% endfor %}', 'tier=gold;floors=3;'],
    ['{% for key in data.cf %}{{ key }} {% endfor %}', 'tier floors '],
    [
      '{% for tag in data.tags %}{{ loop.index }}{{ tag.slug }}{% if not loop.last %},{% endif %}{% else %}none{% endfor %}',
      '1alpha,2bravo',
    ],
    ['{% for x in data.empty %}x{% else %}none{% endfor %}', 'none'],
    ['{{ data.tags | map(attribute="slug") | join(", ") }}', 'alpha, bravo'],
    ['{{ data.tags | selectattr("slug", "eq", "alpha") | map(attribute="name") | first }}', 'Alpha'],
    [
      '{{ data.name[0:3] }} {{ data.name[-1] }} {{ data.name[::-1] }} {{ data.tags.0.slug }} {{ data.tags[1].name }}',
      'BER 1 1-REB alpha Bravo',
    ],
    ['{{ data.name.lower().split("-")[0] }} {{ data.name.startswith("BER") }}', 'ber True'],
    ['{{ data.name | lower | replace("-", "_") | title }}', 'Ber_1'],
    [
      '{{ data.cf | tojson }} {{ data.none | tojson }} {{ data.on | tojson }} {{ data.missing | tojson }}',
      '{"floors": 3, "tier": "gold"} null true null',
    ],
    [
      '{{ data.n + 2 * 3 }} {{ 7 // 2 }} {{ 7 / 2 }} {{ 2 ** 8 }} {{ -data.n }} {{ "a" ~ 1 }} {{ "ab" * 2 }}',
      '11 3 3.5 256 -5 a1 abab',
    ],
    [
      '{{ true == 1 }} {{ false == 0 }} {{ true == 2 }} {{ none == 0 }} {{ "" == false }} {{ [true] == [1] }}',
      'True True False False False True',
    ],
    ['{{ 1 == "1" }} {{ 1 < 2 < 3 }} {{ "R" in data.name }} {{ "x" not in data.name }}', 'False True True True'],
    [
      '{{ data.n is divisibleby(5) }} {{ data.x is defined }} {{ data.none is none }} {{ data.x is not defined }} {{ data.n is odd }}',
      'True False True True True',
    ],
    ['{{ "yes" if data.on else "no" }} [{{ "x" if data.empty }}]', 'yes []'],
    ['{% macro box(a, b="!") %}<{{ a }}{{ b }}>{% endmacro %}{{ box(1) }}{{ box(1, b=2) }}', '<1!><12>'],
    ['{% set x = 5 %}{% set y %}captured {{ x }}{% endset %}{{ y }}', 'captured 5'],
    ['{% filter upper %}abc{% endfilter %}{% raw %}{{ x }}{% endraw %}{# comment #}', 'ABC{{ x }}'],
    ['  {%- if true -%}  tight  {%- endif -%}  ', 'tight'],
    ['{{ data.missing | default("d") }} {{ data.empty | default("d", true) }} {{ data.none | d("d") }}', 'd d None'],
    [
      '{{ [3, 1, 2] | sort | join }} {{ ["b", "A"] | sort | join }} {{ [1, 2, 3] | sum }} {{ [1, 5] | max }} {{ data.tags | length }}',
      '123 Ab 6 5 2',
    ],
    [
      '{% for group, list in data.tags | groupby("slug") %}{{ group }}:{{ list | length }} {% endfor %}',
      'alpha:1 bravo:1 ',
    ],
    [
      '{{ "%s has %03d" | format(data.name, 7) }} {{ "x" | center(5) | length }} {{ "a b" | urlencode }} {{ "<b>" | escape }}',
      'BER-1 has 007 5 a%20b &lt;b&gt;',
    ],
    [
      '{{ "one two three" | truncate(6) }} {{ 3.7 | round | int }} {{ "12" | int + 1 }} {{ "x" | int }}',
      'one... 4 13 0',
    ],
    ['{{ "\\n".join(["a", "b"]) }}{{ \'","\'.join(["c", "d"]) }}{{ "{} {}".format(1, "x") }}', 'a\nbc","d1 x'],
    ['X-Note: {{ data.note | header_safe }}', 'X-Note: aEvil: 1'],
    ['one line end is dropped\n', 'one line end is dropped'],
    ['{{ None }} {{ True and False }} {{ not data.empty }}', 'None False True'],
  ])('%s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  test.each([
    ['http://x/{{ bad', "Invalid template: unexpected end of template, expected 'end of print statement'."],
    ['{% frobnicate %}', "Invalid template: Encountered unknown tag 'frobnicate'. (line 1, column 4)"],
    ['{{ x | nope }}', "Invalid template: No filter named 'nope'. (line 1, column 8)"],
    ['{{ x is nope }}', "Invalid template: No test named 'nope'. (line 1, column 9)"],
    ['{% if x %}', 'Invalid template: unexpected end of template.'],
    ['one\ntwo {{ a }}\n  {{ b | nope }}', "Invalid template: No filter named 'nope'. (line 3, column 10)"],
    ['{{ a b }}', "Invalid template: expected token 'end of print statement' (line 1, column 6)"],
    ['{% include "secret" %}', "Invalid template: The tag 'include' is not available in templates. (line 1, column 4)"],
    ['('.repeat(5) + '{{ ' + '('.repeat(50_000), 'Invalid template: nested too deeply.'],
    ['x'.repeat(100_001), 'Invalid template: templates may have at most 100000 characters.'],
  ])('%s is refused', (template, message) => {
    expect(checkTemplate(template)).toBe(message);
  });

  test('line ends and blanks around tags can be left out', () => {
    const source = 'a\n  {% if true %}\nb\n  {% endif %}\nc\n';
    expect(compileTemplate(source)({})).toBe('a\n  \nb\n  \nc');
    expect(compileTemplate(source, { trimBlocks: true, lstripBlocks: true, keepTrailingNewline: true })({})).toBe(
      'a\nb\nc\n',
    );
  });

  test('dashes beside raw text', () => {
    expect(render('a {%- raw -%} {{ x }} {%- endraw -%} b{% raw %}{% x %}{% endraw %}')).toBe('a{{ x }}b{% x %}');
    expect(checkTemplate('{% raw %}x')).toBe('Invalid template: Missing end of raw directive');
  });

  test('no text takes long to check', () => {
    for (const part of [
      '{{',
      '{%',
      '{#',
      '{% raw %}',
      '{%raw',
      '(',
      '[',
      '{',
      '"',
      '\\',
      'a.',
      'a|',
      'not ',
      '-',
      ' x{{-',
      '{{ a -}} ',
      'a[',
      '1+',
      '{% if x %}',
      '{% for x in y %}',
      `${' '.repeat(999)}x`,
      'r/',
      '#}',
      '{{-',
    ]) {
      for (const text of [
        part.repeat(99_990 / part.length),
        `{{ ${part.repeat(99_000 / part.length)}`,
        `{% raw %}${part.repeat(99_000 / part.length)}{{- 1 }}`,
      ]) {
        const started = process.cpuUsage();
        checkTemplate(text);
        expect([part, process.cpuUsage(started).user < 2_000_000]).toEqual([part, true]);
      }
    }
    expect(checkTemplate(`${' '.repeat(5_000)}x{{- 1 }}`)).toMatch(/blanks/);
  });

  test('what is right is accepted', () => {
    expect(checkTemplate('X: {{ data.name | header_safe }}\n{# ok #}')).toBeNull();
    expect(checkTemplate('')).toBeNull();
  });
});
