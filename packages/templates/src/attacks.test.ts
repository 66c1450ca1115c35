import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPool, type Pool } from './pool.ts';
import { createRenderer, type Renderer } from './renderer.ts';

let pool: Pool;
let renderer: Renderer;
beforeAll(() => {
  pool = createPool({ size: 2, timeoutMs: 250, memoryMb: 64 });
  renderer = createRenderer(pool, 1_048_576);
});
afterAll(() => pool.close());

const context = JSON.stringify({ data: { name: 'site', list: [1, 2], nested: { a: 1 } }, text: 'a'.repeat(64) });
const attempt = async (body: string): Promise<string> => {
  try {
    return (await renderer.render({ body }, context)).body ?? '';
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};
/** What an escape would show: the program's own objects or the machine's. */
const leaks = /function|native code|\[object|process|v\d+\.\d+|pwned|node:|"PATH"|root:/i;

describe('escapes', () => {
  test.each([
    // the known ways through a value's constructor
    '{{ range.constructor("return global.process.mainModule.require(\'child_process\').execSync(\'id\')")() }}',
    '{{ {}.constructor.constructor("return this.process")() }}',
    '{{ "".constructor.constructor("return 1") }}',
    '{{ [].constructor["constructor"]("return 1")() }}',
    '{{ data["con" ~ "structor"]["con" ~ "structor"]("return 1")() }}',
    '{{ data.__proto__ }}{{ data["__proto__"] }}{{ data.list.__proto__ }}{{ data.list["map"] }}',
    '{{ data.__defineGetter__ }}{{ data.hasOwnProperty }}{{ data.toString }}{{ data.valueOf() }}',
    '{{ constructor }}{{ toString }}{{ __proto__ }}{{ hasOwnProperty("a") }}',
    '{{ this }}{{ global }}{{ globalThis }}{{ process }}{{ require }}{{ module }}{{ env }}{{ context }}{{ frame }}{{ runtime }}',
    '{{ range.call }}{{ range.apply }}{{ range.bind }}{{ range.prototype }}{{ range.name }}{{ range }}',
    '{{ "" | attr("constructor") }}{{ data | attr("__proto__") }}{{ data.list | map(attribute="constructor") | join }}',
    '{{ data.list | groupby("constructor") }}{{ data.list | sort(attribute="__proto__") | join }}{{ [data] | sum(attribute="constructor.name") }}',
    '{{ [range] | map("string") | join }}{{ range ~ "" }}{{ range | tojson }}{{ range | string }}',
    '{% macro m() %}x{% endmacro %}{{ m.constructor("return 1")() }}',
    '{% macro m() %}{{ caller.constructor }}{% endmacro %}{% call m() %}x{% endcall %}',
    '{{ loop }}{% for x in [1] %}{{ loop.constructor }}{{ loop.__proto__ }}{% endfor %}',
    '{% for k, v in data.list.constructor %}{{ k }}{% endfor %}',
    '{% set __proto__ = data %}{{ name }}', '{% set constructor = 1 %}{{ constructor }}',
    '{{ {"__proto__": range} }}', '{{ {"constructor": 1} }}', '{{ dict(__keywords=1) }}{{ {"__keywords": 1} | tojson }}',
    '{{ "x" | map("constructor") }}{{ [1] | map("constructor") | join }}{{ [1] | select("constructor") | join }}',
    '{{ joiner }}{{ cycler }}{{ lipsum }}{{ self }}{{ namespace }}{{ config }}{{ request.application }}',
    // Jinja2's
    "{{ ''.__class__.__mro__[1].__subclasses__() }}", "{{ ''['__class__'] }}", "{{ lipsum.__globals__['os'].popen('id').read() }}", "{{ '%s' | format(''.__class__) }}",
    "{{ '{0.__class__}'.format(data) }}", '{{ cycler.__init__.__globals__.os }}',
    // other templates and files
    '{% include "/etc/passwd" %}', '{% extends "/etc/passwd" %}', '{% import "/etc/passwd" as x %}', '{% from "/etc/passwd" import x %}', '{% block x %}{% endblock %}', '{{ super() }}',
    // names and literals that leave the string in which nunjucks writes them
    '{{ x"+Function`return\\x20process`+"y }}', '{{ x"&Function`throw\\x20new\\x20Error`pwned``&"y }}', '{% set a"b = 1 %}', '{% for a"b in [1] %}{% endfor %}', "{{ a';process;'b }}",
    '{{ x is "foo\\").constructor(\\"" }}', '{{ x is eq(range, ["constructor"], ("return process")()) }}', '{{ x is eq(data, ["constructor"]) }}',
    '{{ data["\\\\\\", process.exit(7), \\""]() }}', '{{ data["a\\\\"]() }}', '{{ "\\\\"() }}', '{{ ("a" ~ "\\\\")() }}', '{{ data["a\nb"]() }}',
    '{{ data[data["a\\", process.exit(7), "b"]]() }}', '{{ data[("x")["\\" ~ ""]["\\"]]() }}', '{{ data[f("\\")["\\"]]()["\\"]() }}',
    '{{ f("a"=1) }}', '{% macro m("a\\"]=process") %}{% endmacro %}', '{% macro m(a"b) %}{% endmacro %}', '{{ m(a"b=1) }}', '{{ x | a"b }}', '{{ x | upper"); process.exit(7); (" }}',
    '{{ {a"b: 1} }}', '{{ \u2028 }}', '{{ "\u2028\u2029" }}', '{{ a\u2028b }}', '{{ `x` }}', '{{ x`y` }}', '{% switch x %}{% case "a" %}{{ range.constructor }}{% endswitch %}',
    '{{ r/x/.constructor }}', '{{ r/x/.source }}', '{% set x = r/(a+)+$/ %}{{ text | replace(x, "") }}',
    '{% asyncEach x in data.list %}{{ x }}{% endeach %}', '{% ifAsync x %}{% endif %}',
    '{{ (1, range.constructor)("return process")() }}', '{{ [range][0].constructor }}', '{{ {"f": range}.f.constructor }}', '{{ data.name.lower.constructor("return 1")() }}', '{{ data.items.constructor }}',
    '{{ data.name.format.constructor }}{{ "{}".format(range) }}', '{{ import("node:fs") }}', '{{ eval("1") }}', '{{ Function("1") }}',
  ])('%s', async (template) => {
    const output = await attempt(template);
    if (!output.startsWith('refused: ')) expect(output).not.toMatch(leaks);
    else expect(output).not.toMatch(/^refused: pwned|root:/);
    expect(await attempt('{{ data.name }}')).toBe('site');
  });

  test('one render leaves nothing for the next', async () => {
    await attempt('{% set data = {"name": "changed"} %}{% set leftover = "leftover" %}{{ data.name }}');
    expect(await attempt('{{ data.name }}{{ leftover }}')).toBe('site');
  });
});

describe('bombs', () => {
  const loop = (body: string, times: number) => `{% for i in range(${times}) %}${body}{% endfor %}`;
  test.each([
    ['endless loops', loop(loop(loop('x', 100_000), 100_000), 100_000)],
    ['recursion', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['exponential recursion', '{% macro m(n) %}{{ m(n + 1) if n < 60 }}{{ m(n + 1) if n < 60 }}{% endmacro %}{{ m(0) }}'],
    ['doubled texts', `{% set a = "xxxxxxxx" %}${loop('{% set a = a ~ a %}', 60)}{{ a }}`],
    ['doubled texts that are flattened', `{% set a = "xxxxxxxx" %}${loop('{% set a = a ~ a %}', 24)}{{ a | upper | title | lower | reverse }}`],
    ['doubled lists', `{% set a = [1] %}${loop('{% set a = a + a %}', 60)}{{ a }}`],
    ['nested lists', `{% set a = [1] %}${loop('{% set a = [a, a] %}', 60)}{{ a }}`],
    ['nested lists as JSON', `{% set a = [1] %}${loop('{% set a = [a, a] %}', 40)}{{ a | tojson }}`],
    ['compared nested lists', `{% set a = [1] %}${loop('{% set a = [a, a] %}', 60)}{% set b = [1] %}${loop('{% set b = [b, b] %}', 60)}{{ a == b }}`],
    ['kept texts', `{% set a = [] %}${loop('{% set a = a + ["x" * 1000000 ~ i] %}', 100_000)}{{ a | join | length }}`],
    ['many lists', `{% set a = [] %}${loop('{% set a = [range(100000), a] %}', 100_000)}{{ a | length }}`],
    ['large ranges', '{{ range(1000000000) | length }}'],
    ['repetition', '{{ "x" * 1000000000 }}'],
    ['repetition of repetition', '{{ ("x" * 8000000) | replace("x", "y" * 8000000) }}'],
    ['wide texts', '{{ "x" | center(1000000000) }}{{ "x".zfill(1000000000) }}{{ "%1000000000s" | format("x") }}'],
    ['wide indents', '{{ "x\ny" | indent(1000000000) }}'],
    ['replacement', `{% set a = "x" %}${loop('{% set a = a | replace("", "xx") %}', 40)}{{ a }}`],
    ['joins', `{% set a = "x" %}${loop('{% set a = [a, a, a, a] | join(a) %}', 40)}{{ a }}`],
    ['wrapping', '{{ ("x" * 8000000) | wordwrap(1) }}'],
    ['large output', '{{ "x" * 2000000 }}'],
    ['deep nesting', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`],
    ['deep literals', `{{ ${'['.repeat(20_000)}1${']'.repeat(20_000)} }}`],
    ['long sums', `{{ 1${' + 1'.repeat(20_000)} }}`],
    ['deep tags', '{% if true %}'.repeat(5_000) + '{% endif %}'.repeat(5_000) + '{{ range(100001) }}'],
    ['slow patterns', '{{ ("<" * 200000) | striptags }}{{ ("<!--" * 100000) | striptags }}{{ range(100001) }}'],
    ['big powers', '{{ 10 ** 400 ** 400 }}{{ range(100001) }}'],
  ])('%s', async (_, template) => {
    const started = performance.now();
    expect(await attempt(template)).toMatch(/^refused: /);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await attempt('{{ data.name }}')).toBe('site');
  });
});
