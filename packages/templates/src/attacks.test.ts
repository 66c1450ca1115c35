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

// What users can put into custom fields and notes is in here, too.
const hostile = '{"__keywords": true, "default": "x", "toString": "y", "toJSON": "z", "then": 1, "constructor": "c", "__proto__": {"polluted": 1}, "length": 4294967295, "valueOf": 1, "value": "v"}';
const context = JSON.stringify({ data: { name: 'site', list: [1, 2], nested: { a: 1 } }, text: 'a'.repeat(64) }).replace('{"data":{', `{"data":{"evil":${hostile},`);
const attempt = async (body: string): Promise<string> => {
  try {
    return (await renderer.render({ body }, context)).body ?? '';
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};
/** What an escape would show: the program's own objects or the machine's. */
const leaks = /function|native code|\[object|process(?!\.exit\(7\))|v\d+\.\d+|pwned|node:|"PATH"|root:/i;

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
    '{{ polluted }}{{ data.evil.__proto__ }}{{ data.evil["__proto__"] }}{{ data.evil.polluted }}{{ dict(data.evil).polluted }}',
    '{{ data.evil.toString() }}',
    '{{ data.evil.get("constructor") }}{{ data.get("__proto__") }}',
    '{% macro constructor() %}x{% endmacro %}{{ constructor() }}',
    '{% macro m() %}{{ varargs }}{{ kwargs }}{{ arguments }}{{ caller }}{% endmacro %}{{ m(1, x=2) }}',
    '{% call(x) m() %}{{ x }}{% endcall %}',
    '{% for loop in [1, 2] %}{{ loop }}{% endfor %}',
    '{% set frame = 1 %}{% set runtime = 2 %}{% set env = 3 %}{% set cb = 4 %}{% set output = 5 %}{{ runtime.memberLookup }}{{ frame.parent }}{{ env.opts }}',
    '{% macro t_1(t_2) %}{{ t_2 }}{{ t_3 }}{{ l_t_2 }}{{ hasOwnProperty }}{% endmacro %}{{ t_1(range) }}',
    '{% set lineno = range %}{{ lineno }}{{ colno.constructor }}',
    '{% set x %}{{ range }}{% endset %}{{ x.constructor }}',
    '{% filter attr("constructor") %}x{% endfilter %}',
    '{% filter map("attr", "constructor") %}x{% endfilter %}',
    '{{ [1, "a", range] | map("attr", "constructor") | list }}',
    '{{ ["x"] | map("replace", "x", range) | list }}',
    '{{ [[1]] | map("join", range) | list }}',
    '{{ data[["constructor"]] }}{{ data[[["constructor"]]] }}{{ data.list[["map"]] }}{{ data[range] }}{{ data[{"a": 1}] }}',
    '{{ [].concat([1]) }}',
    '{{ [].push(1) }}',
    '{{ "x".matchAll("x") }}',
    '{{ "a".split.call("b") }}',
    '{{ "a".split.constructor("return 1")() }}',
    '{{ {"f": range}.f(3) }}',
    '{{ [range] | first }}{{ [range] | sort }}{{ [range] | unique | list }}{{ [range] | groupby("name") }}{{ {"a": range} | dictsort }}{{ {"a": range}.values() }}',
    '{{ {"a": range} | tojson }}{{ {"a": range} | urlencode }}{{ "%r" | format(range) }}{{ [range] | string }}',
    '{{ globals }}{{ filters }}{{ tests }}{{ Symbol }}{{ Reflect }}{{ Object }}{{ Error }}{{ Promise }}{{ Buffer }}{{ setTimeout }}{{ queueMicrotask }}{{ structuredClone }}{{ WebAssembly }}{{ fetch }}',
    '{{ 1 .constructor }}{{ 1.0.constructor }}{{ true.constructor }}{{ none.constructor }}',
    '{{ data["\\u0063onstructor"] }}{{ data["\\x63onstructor"] }}',
    '{{ data.\\u0063onstructor }}',
    '{% set a\\u0062 = 1 %}',
    '{{ a?.b }}',
    '{{ a ?? b }}',
    '{{ (x) => 1 }}',
    '{{ new Date }}',
    '{{ [...x] }}',
    '{{ {...x} }}',
    '{{ a; b }}',
    '{{ x++ }}',
    '{{ "\\"+process.exit(7)+\\"" }}',
    '{{ \'\\\'+process.exit(7)+\\\'\' }}',
    '{% raw %}"+process.exit(7)+"{% endraw %}',
    '"+process.exit(7)+"\n\\',
    '{# "+process.exit(7) #}',
    '{% macro m(x="\\"+process.exit(7)+\\"") %}{{ x }}{% endmacro %}{{ m() }}',
    '{{ {"a\\"+process.exit(7)+\\"": 1} }}',
    '{% switch "a" %}{% case "a\\"+process.exit(7)+\\"" %}1{% default %}2{% endswitch %}',
    '{{ a["b"]["c\\""]("d") }}',
    '{% for x.y in z %}{% endfor %}',
    '{% set x.y = 1 %}',
    '{% set __proto__.x = 1 %}',
    '{{ dict(constructor=1) }}',
    '{{ range(a=1) }}',
    '{{ f(a=1)(b=2) }}',
    '{{ cycler.__init__.__globals__ }}',
    '{{ request|attr(\'application\')|attr(\'\\x5f\\x5fglobals\\x5f\\x5f\') }}',
    '{{ config.__class__.__init__.__globals__[\'os\'].popen(\'id\').read() }}',
    '{{ url_for.__globals__ }}{{ get_flashed_messages.__globals__ }}',
    '{{ [].__class__.__base__.__subclasses__() }}',
    '{% set string = \'ssti\' %}{% set class = \'__class__\' %}{{ string[class] }}{{ string|attr(class) }}',
    '{{ ()|attr(\'__class__\') }}',
    '{{ (dict(a=1)|attr)(\'b\') }}',
    '{{ (1, range.constructor)("return process")() }}', '{{ [range][0].constructor }}', '{{ {"f": range}.f.constructor }}', '{{ data.name.lower.constructor("return 1")() }}', '{{ data.items.constructor }}',
    '{{ data.name.format.constructor }}{{ "{}".format(range) }}', '{{ import("node:fs") }}', '{{ eval("1") }}', '{{ Function("1") }}',
  ])('%s', async (template) => {
    const output = await attempt(template);
    if (!output.startsWith('refused: ')) expect(output).not.toMatch(leaks);
    else expect(output).not.toMatch(/^refused: pwned|root:/);
    expect(await attempt('{{ data.name }}')).toBe('site');
  });

  test('data that looks like keyword arguments is data', async () => {
    expect(await attempt('{{ data.evil | tojson }}')).toMatch(/^\{"__keywords":true,"default":"x"/);
    expect(await attempt('{{ "a" | default(data.evil) }}{{ nothing | default(data.evil.value) }}{% macro m(a, b="none") %}{{ a.value }}{{ b }}{% endmacro %}{{ m(data.evil) }}{{ m(data.evil, b=1) }}{{ dict(data.evil, c=2).c }}')).toBe('avvnonev12');
  });

  test('pieces of attacks in any order say nothing', async () => {
    const pieces = ['{{', '}}', '{%', '%}', ' set ', ' for ', ' in ', ' if ', ' macro ', ' endfor ', ' endif ', 'x', 'range', 'constructor', '__proto__', '"', "'", '\\', '(', ')', '[', ']', '.', ',', '|', ' is ', 'attr', 'map', '=', '+', '~', '"constructor"', 'process.exit(7)', '`', '${', '\n', '\u2028', '{#', '#}', '{', '}', ':', 'data', '1', 'r/', '/', '-%}', '{{-'];
    // The same pieces every time: a simple generator of numbers.
    let seed = 42;
    const next = (below: number) => { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648; return Math.floor((seed / 2_147_483_648) * below); };
    for (let i = 0; i < 3_000; i += 1) {
      const template = `{{ ${Array.from({ length: 2 + next(14) }, () => pieces[next(pieces.length)]).join('')} }}`;
      const output = await attempt(template);
      if (!output.startsWith('refused: ')) expect([template, output]).toEqual([template, expect.not.stringMatching(/function|native code|\[object/)]);
      else expect([template, output]).toEqual([template, expect.not.stringMatching(/needed more|failed:/)]);
    }
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
    ['code that doubles with each loop', `${'{% for a, b in data.list %}'.repeat(40)}x${'{% endfor %}'.repeat(40)}`],
    ['texts as lists', `{% set a = "x" * 8000000 %}{% set b = [] %}${loop('{% set b = b + [a | list] %}', 1000)}{{ b | length }}`],
    ['objects of objects', `{% set a = {"k": 1} %}${loop('{% set a = {"x": a, "y": a} %}', 60)}{{ a | urlencode }}{{ a }}`],
    ['formats', `{% set a = "x" * 1000 %}${loop('{% set a = "{} {} {}".format(a, a, a) %}', 60)}{{ a }}`],
    ['printing', `{% set a = "x" %}${loop('{% set a = "%s%s%s" | format(a, a, a) %}', 60)}{{ a }}`],
    ['escaping', `{% set a = "&" * 1000 %}${loop('{% set a = a | escape %}', 100_000)}{{ a }}`],
    ['encoding', `{% set a = "%" * 100000 %}${loop('{% set a = a | urlencode %}', 100_000)}{{ a }}`],
    ['splitting', `{% set a = "x " * 4000000 %}${loop('{% set b = a.split() %}', 100_000)}{{ b | length }}`],
    ['captures', `{% set a = "x" * 1000 %}${loop('{% set a %}{{ a }}{{ a }}{% endset %}', 60)}{{ a }}`],
    ['macros that print themselves', `{% macro m(n) %}{% for i in range(10) %}{{ m(n - 1) if n else "x" }}{% endfor %}{% endmacro %}{{ m(20) }}`],
    ['sorting', `{% set a = range(100000) | list %}${loop('{% set b = a | sort(reverse=true) | unique | list %}', 100_000)}{{ b | length }}`],
    ['deep nesting', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`],
    ['deep literals', `{{ ${'['.repeat(20_000)}1${']'.repeat(20_000)} }}`],
    ['long sums', `{{ 1${' + 1'.repeat(20_000)} }}`],
    ['deep tags', '{% if true %}'.repeat(5_000) + '{% endif %}'.repeat(5_000) + '{{ range(100001) }}'],
    ['slow patterns', '{{ ("<" * 200000) | striptags }}{{ ("<!--" * 100000) | striptags }}{{ range(100001) }}'],
    ['big powers', '{{ 10 ** 400 ** 400 }}{{ range(100001) }}'],
  ])('%s', async (_, template) => {
    const started = performance.now();
    expect(await attempt(template)).toMatch(/^refused: /);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await attempt('{{ data.name }}')).toBe('site');
  });
});
