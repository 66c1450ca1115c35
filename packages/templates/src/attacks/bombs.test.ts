import { describe, expect, test } from '@jest/globals';
import { attempt } from './testing/attacks.ts';

describe('bombs', () => {
  const loop = (body: string, times: number) => `{% for i in range(${times}) %}${body}{% endfor %}`;
  test.each([
    ['endless loops', loop(loop(loop('x', 100_000), 100_000), 100_000)],
    ['recursion', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    [
      'exponential recursion',
      '{% macro m(n) %}{{ m(n + 1) if n < 60 }}{{ m(n + 1) if n < 60 }}{% endmacro %}{{ m(0) }}',
    ],
    ['doubled texts', `{% set n.a = "xxxxxxxx" %}${loop('{% set n.a = n.a ~ n.a %}', 60)}{{ n.a }}`],
    [
      'doubled texts that are flattened',
      `{% set n.a = "xxxxxxxx" %}${loop('{% set n.a = n.a ~ n.a %}', 24)}{{ n.a | upper | title | lower | reverse }}`,
    ],
    ['doubled lists', `{% set n.a = [1] %}${loop('{% set n.a = n.a + n.a %}', 60)}{{ n.a }}`],
    ['nested lists', `{% set n.a = [1] %}${loop('{% set n.a = [n.a, n.a] %}', 60)}{{ n.a }}`],
    ['nested lists as JSON', `{% set n.a = [1] %}${loop('{% set n.a = [n.a, n.a] %}', 40)}{{ n.a | tojson }}`],
    [
      'compared nested lists',
      `{% set n.a = [1] %}${loop('{% set n.a = [n.a, n.a] %}', 60)}{% set n.b = [1] %}${loop('{% set n.b = [n.b, n.b] %}', 60)}{{ n.a == n.b }}`,
    ],
    [
      'kept texts',
      `{% set n.a = [] %}${loop('{% set n.a = n.a + ["x" * 1000000 ~ i] %}', 100_000)}{{ n.a | join | length }}`,
    ],
    ['many lists', `{% set n.a = [] %}${loop('{% set n.a = [range(100000), n.a] %}', 100_000)}{{ n.a | length }}`],
    ['large ranges', '{{ range(1000000000) | length }}'],
    ['repetition', '{{ "x" * 1000000000 }}'],
    ['repetition of repetition', '{{ ("x" * 8000000) | replace("x", "y" * 8000000) }}'],
    ['wide texts', '{{ "x" | center(1000000000) }}{{ "x".zfill(1000000000) }}{{ "%1000000000s" | format("x") }}'],
    ['wide indents', '{{ "x\ny" | indent(1000000000) }}'],
    ['replacement', `{% set n.a = "x" %}${loop('{% set n.a = n.a | replace("", "xx") %}', 40)}{{ n.a }}`],
    ['joins', `{% set n.a = "x" %}${loop('{% set n.a = [n.a, n.a, n.a, n.a] | join(n.a) %}', 40)}{{ n.a }}`],
    ['wrapping', '{{ ("x" * 8000000) | wordwrap(1) }}'],
    ['large output', '{{ "x" * 2000000 }}'],
    ['code that doubles with each loop', `${'{% for a, b in data.list %}'.repeat(40)}x${'{% endfor %}'.repeat(40)}`],
    [
      'texts as lists',
      `{% set n.a = "x" * 8000000 %}{% set n.b = [] %}${loop('{% set n.b = n.b + [n.a | list] %}', 1000)}{{ n.b | length }}`,
    ],
    [
      'objects of objects',
      `{% set n.a = {"k": 1} %}${loop('{% set n.a = {"x": n.a, "y": n.a} %}', 60)}{{ n.a | urlencode }}{{ n.a }}`,
    ],
    ['formats', `{% set n.a = "x" * 1000 %}${loop('{% set n.a = "{} {} {}".format(n.a, n.a, n.a) %}', 60)}{{ n.a }}`],
    ['printing', `{% set n.a = "x" %}${loop('{% set n.a = "%s%s%s" | format(n.a, n.a, n.a) %}', 60)}{{ n.a }}`],
    ['escaping', `{% set n.a = "&" * 1000 %}${loop('{% set n.a = n.a | escape %}', 100_000)}{{ n.a }}`],
    ['encoding', `{% set n.a = "%" * 100000 %}${loop('{% set n.a = n.a | urlencode %}', 100_000)}{{ n.a }}`],
    ['splitting', `{% set n.a = "x " * 4000000 %}${loop('{% set n.b = n.a.split() %}', 100_000)}{{ n.b | length }}`],
    ['captures', `{% set n.a = "x" * 1000 %}${loop('{% set n.a %}{{ n.a }}{{ n.a }}{% endset %}', 60)}{{ n.a }}`],
    [
      'macros that print themselves',
      `{% macro m(n) %}{% for i in range(10) %}{{ m(n - 1) if n else "x" }}{% endfor %}{% endmacro %}{{ m(20) }}`,
    ],
    [
      'sorting',
      `{% set n.a = range(100000) | list %}${loop('{% set n.b = n.a | sort(reverse=true) | unique | list %}', 100_000)}{{ n.b | length }}`,
    ],
    [
      'namespaces in each other',
      `{% set n.a = namespace() %}${loop('{% set n.b = namespace(x=n.a, y=n.a) %}{% set n.a = n.b %}', 60)}{{ n.a }}`,
    ],
    ['a namespace in itself', `{% set n.x = n %}{% set n.y = n %}{{ n }}`],
    [
      'a namespace in itself, as JSON',
      `{% set n.l = [] %}{{ n.l.append(n.l) }}{{ n.l.append(n.l) }}{{ n.l | tojson }}`,
    ],
    ['a list in itself', `{{ data.list.append(data.list) }}{{ data.list.append(data.list) }}{{ data.list }}`],
    [
      'a list in itself, for people',
      `{{ data.list.append(data.list) }}{{ data.list.append(data.list) }}{{ data.list | pprint }}`,
    ],
    [
      'a list in itself, compared',
      `{{ data.list.append(data.list) }}{{ data.list.append(data.list) }}{% set m = [1, 2] %}{{ m.append(m) }}{{ m.append(m) }}{{ data.list == m }}`,
    ],
    ['an object in itself', `{{ data.update(x=data, y=data) }}{{ data | tojson }}`],
    ['lists that grow', `{% set n.a = [1] %}${loop('{{ n.a.extend(n.a) }}', 60)}`],
    [
      'lists that grow while they are gone through',
      `{% set n.a = range(100000) %}{% for x in n.a %}{{ n.a.insert(0, n.a) or "" }}{% endfor %}{{ n.a }}`,
    ],
    ['kept texts in a list', `{% set n.a = [] %}${loop('{{ n.a.append("x" * 1000000 ~ i) or "" }}', 100_000)}`],
    ['objects that grow', `${loop('{{ data.setdefault("k" ~ i, "x" * 100000 ~ i) | length }}', 100_000)}`],
    ['cycles of large texts', `{% set c = cycler("x" * 8000000, "y" * 8000000) %}${loop('{{ c.next() }}', 1_000)}`],
    ['joiners of large texts', `{% set j = joiner("x" * 8000000) %}${loop('{{ j() }}', 1_000)}`],
    ['loops that call themselves', '{% for x in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}'],
    [
      'loops that call themselves with more',
      '{% for x in [data.list] recursive %}{{ x }}{{ loop([data.list, data.list]) if loop.depth < 40 }}{% endfor %}',
    ],
    ['filters of loops', '{% for x in range(100000) if range(100000) | length and range(100000) | sort %}{% endfor %}'],
    ['macros that are handed on', '{% macro m(f) %}{{ f(f) }}{{ f(f) }}{% endmacro %}{{ m(m) }}'],
    ['wide fields', '{{ "{:>9999}".format("x") * 1000 }}'],
    ['many wide fields', '{{ ("{0:>9999}" * 10000).format("x") }}'],
    ['many wide conversions', '{{ ("%(a)9999s" * 10000) | format(a="x") }}'],
    [
      'long indents of JSON',
      `{% set n.a = [] %}${loop('{% set n.a = [n.a, n.a] %}', 30)}{{ n.a | tojson(indent=10) }}`,
    ],
    ['tabs', '{{ ("\\t" * 8000000).expandtabs(100) }}'],
    ['paddings', '{{ "x".center(100000) * 1000 }}'],
    ['attributes', '{{ {"a": "&" * 8000000} | xmlattr }}'],
    ['with', `{% set n.a = "x" %}${loop('{% with a = n.a ~ n.a %}{% set n.a = a ~ a %}{% endwith %}', 60)}`],
    ['deep nesting', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`],
    ['deep literals', `{{ ${'['.repeat(20_000)}1${']'.repeat(20_000)} }}`],
    ['long sums', `{{ 1${' + 1'.repeat(20_000)} }}`],
    ['deep tags', '{% if true %}'.repeat(5_000) + '{% endif %}'.repeat(5_000) + '{{ range(100001) }}'],
    ['slow patterns', '{{ ("<" * 200000) | striptags }}{{ ("<!--" * 100000) | striptags }}{{ range(100001) }}'],
    ['big powers', '{{ 10 ** 400 ** 400 }}{{ range(100001) }}'],
  ])('%s', async (_, template) => {
    const started = performance.now();
    // What grows from turn to turn does so in a namespace: what a loop sets stays in that turn.
    expect(await attempt(`{% set n = namespace() %}${template}`)).toMatch(/^refused: /);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await attempt('{{ data.name }}')).toBe('site');
  });
});
