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
const hostile =
  '{"__keywords": true, "default": "x", "toString": "y", "toJSON": "z", "then": 1, "constructor": "c", "__proto__": {"polluted": 1}, "length": 4294967295, "valueOf": 1, "value": "v"}';
const context = JSON.stringify({
  data: { name: 'site', list: [1, 2], nested: { a: 1 } },
  text: 'a'.repeat(64),
}).replace('{"data":{', `{"data":{"evil":${hostile},`);
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
    "{{ range.constructor(\"return global.process.mainModule.require('child_process').execSync('id')\")() }}",
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
    '{% set __proto__ = data %}{{ name }}',
    '{% set constructor = 1 %}{{ constructor }}',
    '{{ {"__proto__": range} }}',
    '{{ {"constructor": 1} }}',
    '{{ dict(__keywords=1) }}{{ {"__keywords": 1} | tojson }}',
    '{{ "x" | map("constructor") }}{{ [1] | map("constructor") | join }}{{ [1] | select("constructor") | join }}',
    '{{ joiner }}{{ cycler }}{{ lipsum }}{{ self }}{{ namespace }}{{ config }}{{ request.application }}',
    // Jinja2's
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__class__'] }}",
    "{{ lipsum.__globals__['os'].popen('id').read() }}",
    "{{ '%s' | format(''.__class__) }}",
    "{{ '{0.__class__}'.format(data) }}",
    '{{ cycler.__init__.__globals__.os }}',
    // other templates and files
    '{% include "/etc/passwd" %}',
    '{% extends "/etc/passwd" %}',
    '{% import "/etc/passwd" as x %}',
    '{% from "/etc/passwd" import x %}',
    '{% block x %}{% endblock %}',
    '{{ super() }}',
    // names and literals that leave the string in which nunjucks writes them
    '{{ x"+Function`return\\x20process`+"y }}',
    '{{ x"&Function`throw\\x20new\\x20Error`pwned``&"y }}',
    '{% set a"b = 1 %}',
    '{% for a"b in [1] %}{% endfor %}',
    "{{ a';process;'b }}",
    '{{ x is "foo\\").constructor(\\"" }}',
    '{{ x is eq(range, ["constructor"], ("return process")()) }}',
    '{{ x is eq(data, ["constructor"]) }}',
    '{{ data["\\\\\\", process.exit(7), \\""]() }}',
    '{{ data["a\\\\"]() }}',
    '{{ "\\\\"() }}',
    '{{ ("a" ~ "\\\\")() }}',
    '{{ data["a\nb"]() }}',
    '{{ data[data["a\\", process.exit(7), "b"]]() }}',
    '{{ data[("x")["\\" ~ ""]["\\"]]() }}',
    '{{ data[f("\\")["\\"]]()["\\"]() }}',
    '{{ f("a"=1) }}',
    '{% macro m("a\\"]=process") %}{% endmacro %}',
    '{% macro m(a"b) %}{% endmacro %}',
    '{{ m(a"b=1) }}',
    '{{ x | a"b }}',
    '{{ x | upper"); process.exit(7); (" }}',
    '{{ {a"b: 1} }}',
    '{{ \u2028 }}',
    '{{ "\u2028\u2029" }}',
    '{{ a\u2028b }}',
    '{{ `x` }}',
    '{{ x`y` }}',
    '{% switch x %}{% case "a" %}{{ range.constructor }}{% endswitch %}',
    '{{ r/x/.constructor }}',
    '{{ r/x/.source }}',
    '{% set x = r/(a+)+$/ %}{{ text | replace(x, "") }}',
    '{% asyncEach x in data.list %}{{ x }}{% endeach %}',
    '{% ifAsync x %}{% endif %}',
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
    "{{ '\\'+process.exit(7)+\\'' }}",
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
    "{{ request|attr('application')|attr('\\x5f\\x5fglobals\\x5f\\x5f') }}",
    "{{ config.__class__.__init__.__globals__['os'].popen('id').read() }}",
    '{{ url_for.__globals__ }}{{ get_flashed_messages.__globals__ }}',
    '{{ [].__class__.__base__.__subclasses__() }}',
    "{% set string = 'ssti' %}{% set class = '__class__' %}{{ string[class] }}{{ string|attr(class) }}",
    "{{ ()|attr('__class__') }}",
    "{{ (dict(a=1)|attr)('b') }}",
    // what is new in a template: its own objects
    '{% set ns = namespace() %}{{ ns.constructor }}{{ ns.__proto__ }}{{ ns["con" ~ "structor"] }}{{ ns.set }}{{ ns.get }}{{ ns.method }}{{ ns.represent }}{{ ns["#values"] }}{{ ns | attr("constructor") }}',
    '{% set ns = namespace() %}{% set ns.constructor = range %}{{ ns.constructor }}',
    '{% set ns = namespace() %}{% set ns.__proto__ = data %}{{ ns.name }}',
    '{% set ns = namespace() %}{% set ns["constructor"] = 1 %}{{ ns }}',
    '{% set ns = namespace(data.evil) %}{{ ns.constructor }}{{ ns.__proto__ }}{{ ns.toString() }}{{ ns.polluted }}{{ ns.valueOf }}',
    '{% set ns = namespace(__proto__=1) %}',
    '{% set ns = namespace(f=range) %}{{ ns.f.constructor }}{{ ns }}{{ ns | tojson }}',
    '{% set data.name.x = 1 %}',
    '{% set data.x = 1 %}{{ data.x }}',
    '{% set range.x = 1 %}{{ range.x }}',
    '{% set loop.x = 1 %}',
    '{% set "a".b = 1 %}',
    '{% set namespace().x = 1 %}',
    '{% set ns.a"b = 1 %}',
    '{% set ns.x, ns.y = 1, 2 %}',
    '{% set ns["a\\"+process.exit(7)+\\""] = 1 %}{{ 1 }}',
    '{% for x in [1] %}{{ loop.cycle.constructor }}{{ loop.changed.constructor("return 1")() }}{{ loop.call }}{{ loop["#list"] }}{{ loop.method }}{{ loop | tojson }}{% endfor %}',
    '{% for x in [1] %}{{ loop }}{{ loop() }}{% endfor %}',
    '{% for x in [1] %}{{ loop.cycle(range, data) }}{{ loop.cycle(range).constructor }}{{ loop.previtem.constructor }}{% endfor %}',
    '{% for x in [range] recursive %}{{ loop.constructor }}{{ loop(range) }}{% endfor %}',
    '{% set c = cycler(range) %}{{ c.next.constructor }}{{ c.next().constructor }}{{ c.current.constructor }}{{ c.call }}{{ c }}{{ c | tojson }}',
    '{{ cycler() }}',
    '{{ cycler.constructor("return 1")() }}{{ namespace.constructor }}{{ joiner.prototype }}',
    '{% set j = joiner(range) %}{{ j }}{{ j() }}{{ j().constructor }}{{ j.call }}{{ j.constructor }}',
    '{% with constructor = 1 %}{% endwith %}',
    '{% with a"b = 1 %}{% endwith %}',
    '{% with a = range %}{{ a.constructor }}{% endwith %}',
    '{% with __proto__ = data %}{{ name }}{% endwith %}',
    '{% with a.b = 1 %}{% endwith %}',
    '{% for x in data.list if x.constructor %}{{ x }}{% endfor %}',
    '{% for x in data.list if ["a\\"+process.exit(7)"] %}{{ x }}{% endfor %}',
    '{% for "x" in data.list %}{% endfor %}',
    '{{ data.update(__proto__=range) }}',
    '{{ data.update({"__proto__": {"polluted": 1}}) }}{{ {}.polluted }}{{ polluted }}',
    '{{ data.update({"con" ~ "structor": 1}) }}',
    '{{ data.setdefault("__proto__", {"polluted": 1}) }}{{ {}.polluted }}',
    '{{ data.update(data.evil) }}',
    '{{ data.pop("__proto__", "none") }}{{ data.pop("constructor", "none") }}',
    '{{ data.list.append(range) }}{{ data.list }}{{ data.list | last }}{{ data.list[-1].constructor }}',
    '{{ data.list.sort(key=range) }}{{ data.list.sort.constructor }}',
    '{{ data.list.append.constructor("return 1")() }}',
    '{{ "{0.constructor}{0.__proto__}{0[constructor]}".format(data) }}',
    '{{ "{constructor}{__proto__}{toString}".format(a=1) }}',
    '{{ "{0.append}{0.pop}".format(data.list) }}',
    '{{ "{:constructor}".format(1) }}',
    '{{ "{!x}".format(1) }}',
    '{{ "{0.format.constructor}".format("x") }}',
    '{{ "%(constructor)s%(__proto__)s%(toString)s" | format(a=1) }}',
    '{{ "%(constructor)s" % data }}',
    '{{ "%s" % range }}',
    '{{ "%d" % "x" }}',
    '{{ "%c" % 99999999999 }}',
    '{{ "%toString" % 1 }}',
    '{{ {"__proto__": range} | xmlattr }}',
    '{{ data.evil | pprint }}{{ range | pprint }}{{ data.evil | xmlattr }}',
    '{{ range | filesizeformat }}',
    '{{ data.evil.length | filesizeformat }}',
    '{{ "constructor" is filter }}{{ "__proto__" is test }}{{ "toString" is filter }}',
    '{{ 1 is constructor }}',
    '{{ 1 is eq range.constructor }}',
    '{{ 1 is eq(1, 2) }}',
    '{{ 1 is "eq" }}',
    '{{ 1 is eq "\\"+process.exit(7)+\\"" }}',
    '{{ 1 is a"b }}',
    '{{ 1 is none.constructor }}',
    '{{ {range: 1, data: 2, ["x"]: 3} }}',
    '{{ {"con" ~ "structor": range}.constructor }}',
    '{{ {"__pro" ~ "to__": {"polluted": 1}}.polluted }}',
    '{{ {1: range}[1].constructor }}',
    '{{ {data.evil: 1} }}',
    '{{ "\\x63onstructor" }}{{ data["\\x63onstructor"] }}{{ "\\x22+process.exit(7)+\\x22" }}',
    '{{ "\\',
    '{{ "\\x',
    "{{ '\\'",
    '{{ "a\\',
    '{{ {{}} }}',
    '{{ {"a": {"b": "}}"}} }}',
    '{% macro m(a=range.constructor) %}{{ a }}{{ varargs.constructor }}{{ kwargs.__proto__ }}{{ caller.constructor }}{% endmacro %}{{ m() }}',
    '{% macro m(kwargs) %}{{ kwargs }}{% endmacro %}{{ m(__proto__=1) }}',
    '{% macro m() %}{{ kwargs }}{% endmacro %}{{ m(constructor=1) }}',
    '{{ (range, data.constructor)[0].constructor }}{{ (range,) }}{{ () }}',
    '{% set a, constructor = 1, 2 %}',
    '{% set a, b = range, data %}{{ a.constructor }}',
    '{% set x | attr("constructor") %}a{% endset %}{{ x }}',
    '{{ (1, range.constructor)("return process")() }}',
    '{{ [range][0].constructor }}',
    '{{ {"f": range}.f.constructor }}',
    '{{ data.name.lower.constructor("return 1")() }}',
    '{{ data.items.constructor }}',
    '{{ data.name.format.constructor }}{{ "{}".format(range) }}',
    '{{ import("node:fs") }}',
    '{{ eval("1") }}',
    '{{ Function("1") }}',
  ])('%s', async (template) => {
    const output = await attempt(template);
    if (!output.startsWith('refused: ')) expect(output).not.toMatch(leaks);
    else expect(output).not.toMatch(/^refused: pwned|root:/);
    expect(await attempt('{{ data.name }}')).toBe('site');
  });

  test('data that looks like keyword arguments is data', async () => {
    expect(await attempt('{{ data.evil | tojson }}')).toMatch(
      /^\{"__keywords": true, "__proto__": \{"polluted": 1\}, "constructor": "c", "default": "x"/,
    );
    expect(
      await attempt(
        '{{ "a" | default(data.evil) }}{{ nothing | default(data.evil.value) }}{% macro m(a, b="none") %}{{ a.value }}{{ b }}{% endmacro %}{{ m(data.evil) }}{{ m(data.evil, b=1) }}{{ dict(data.evil, c=2).c }}',
      ),
    ).toBe('avvnonev12');
  });

  test('pieces of attacks in any order say nothing', async () => {
    const pieces = [
      '{{',
      '}}',
      '{%',
      '%}',
      ' set ',
      ' for ',
      ' in ',
      ' if ',
      ' macro ',
      ' endfor ',
      ' endif ',
      'x',
      'range',
      'constructor',
      '__proto__',
      '"',
      "'",
      '\\',
      '(',
      ')',
      '[',
      ']',
      '.',
      ',',
      '|',
      ' is ',
      'attr',
      'map',
      '=',
      '+',
      '~',
      '"constructor"',
      'process.exit(7)',
      '`',
      '${',
      '\n',
      '\u2028',
      '{#',
      '#}',
      '{',
      '}',
      ':',
      'data',
      '1',
      'r/',
      '/',
      '-%}',
      '{{-',
    ];
    // The same pieces every time: a simple generator of numbers.
    let seed = 42;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let i = 0; i < 3_000; i += 1) {
      const template = `{{ ${Array.from({ length: 2 + next(14) }, () => pieces[next(pieces.length)]).join('')} }}`;
      const output = await attempt(template);
      if (!output.startsWith('refused: '))
        expect([template, output]).toEqual([template, expect.not.stringMatching(/function|native code|\[object/)]);
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

// What belongs to objects of models, in templates that are given some: see `models.ts`.
describe('objects of models', () => {
  const models = JSON.stringify({
    roots: { device: { type: 'device' }, queryset: { type: 'device', many: true } },
    maxWants: 1000,
    types: {
      device: {
        label: 'device',
        className: 'Device',
        aliases: { cf: 'custom_fields' },
        fields: { id: {}, name: {}, site: { to: 'site' }, owner: { typeField: 'owner_type' } },
        back: { interfaces: 'interface', __proto__: 'device', constructor: 'device' },
      },
      site: null,
    },
    objects: { 'interface 1': { id: 1, name: 'a', display: 'a' }, 'interface 2': { id: 2, name: 'b', display: 'b' } },
    lists: { 'device 1 interfaces': [1, 2] },
  });
  const device = `{"id": 1, "name": "r1", "display": "r1", "status": {"value": "active", "label": "Active"}, "site": {"id": 7, "display": ${JSON.stringify('x'.repeat(64))}}, "owner_type": "constructor", "owner": {"id": 1}, "custom_fields": ${hostile}, "evil": ${hostile}}`;
  const explored = async (template: string): Promise<string> => {
    try {
      const outcome = await renderer.explore(template, `{"device": ${device}, "queryset": [${device}]}`, models);
      return 'text' in outcome ? outcome.text : `wants ${JSON.stringify(outcome.wants)}`;
    } catch (error) {
      return `refused: ${(error as Error).message}`;
    }
  };

  test.each([
    '{{ device.constructor }}{{ device["con" ~ "structor"] }}{{ device.__proto__ }}{{ device.interfaces.constructor("return 1")() }}{{ device.interfaces.__proto__ }}{{ device.status.constructor }}',
    '{{ device.interfaces.all.constructor("return process")() }}{{ device.interfaces.filter.call }}{{ device.interfaces.all }}',
    '{{ device.get_name_display.constructor("return 1")() }}{{ device.get_constructor_display() }}{{ device.get___proto___display() }}',
    '{{ device.interfaces.filter(constructor="x") }}',
    '{{ device.interfaces.filter(__proto__="x") }}',
    '{{ device.interfaces.filter(name__constructor="x") }}',
    '{{ device.interfaces.filter(__class__="x").count() }}',
    '{{ device.interfaces.values("constructor", "__proto__") }}',
    '{{ device.interfaces.values_list("constructor.name", "__proto__") }}',
    '{{ device.interfaces.order_by("constructor", "-__proto__") }}',
    '{{ device.interfaces.get(constructor=none) }}',
    '{{ device.site.region.constructor }}{{ device.site.constructor("return 1")() }}{{ device.owner.constructor }}{{ device.owner.slug }}{{ device.constructor_id }}{{ device.__proto___id }}',
    '{{ device.site.region.name.anything().at["all"](1).constructor("return process")() }}',
    '{{ device.evil.value }}{{ device.evil.constructor }}{{ device.cf.constructor }}{{ device.cf.toString() }}{{ device.custom_fields.__proto__ }}',
    '{% set device.x = 1 %}',
    '{% set ns = namespace(d=device) %}{{ ns.d.interfaces.all()[0].constructor }}',
    '{{ device.update(status=range) or "" }}{{ device.status }}{{ device.status.constructor }}',
    '{{ device.update(site={"id": 1, "constructor": 1}) or "" }}{{ device.site }}',
    '{{ device.interfaces.append(range) or "" }}{{ device.interfaces.all() }}{{ queryset.append(queryset) or "" }}{{ queryset.all() }}',
    '{{ device.interfaces.filter(name=range).count() }}{{ device.interfaces.filter(range) }}',
    '{{ device.update(id={"a": 1}) or "" }}{{ device.interfaces.all() }}',
    '{{ device | attr("constructor") }}{{ [device] | map(attribute="interfaces.constructor") | join }}{{ queryset | groupby("constructor") }}{{ device.interfaces.missing("x") }}{{ device.interfaces.method("all") }}{{ device.natureOf }}{{ device.word }}',
    '{{ "10.0.0.1/24".constructor }}{{ "10.0.0.1/24"["ip"].constructor }}{{ "10.0.0.1/24".hostmask.constructor("return 1")() }}',
  ])('%s', async (template) => {
    expect((await explored(template)).replaceAll('Object', '')).not.toMatch(leaks);
  });

  test.each([
    [
      'lists that grow by being asked for',
      '{% for a in range(100000) %}{% for b in range(100000) %}{% set x = device.interfaces.all().order_by("name") %}{% endfor %}{% endfor %}',
    ],
    [
      'conditions for ever',
      '{% for a in range(100000) %}{% for b in range(1000) %}{% if queryset.filter(name__icontains="r", name__in=range(1000)).exists() %}{% endif %}{% endfor %}{% endfor %}',
    ],
    [
      'lists in themselves',
      '{{ queryset.append(queryset) or "" }}{{ queryset.extend(queryset) or "" }}{% for a in range(40) %}{{ queryset.extend(queryset) or "" }}{% endfor %}{{ queryset.distinct() | length }}',
    ],
    ['objects in themselves', '{{ device.update(x=device, y=device, name=device) or "" }}{{ device | tojson }}'],
  ])('%s', async (_, template) => {
    expect(await explored(template)).toMatch(/^refused: /);
  });

  test('what is asked for is bounded, and nothing but types, numbers and names that are known', async () => {
    const wants = await explored(
      '{% for a in range(5000) %}{{ device.update(id=a + 5) or "" }}{{ device.interfaces.count() }}{% endfor %}{{ device.update(id="1 or 1=1") or "" }}{{ device.interfaces.count() }}',
    );
    expect((JSON.parse(wants.slice(6)) as unknown[]).length).toBe(1000);
    expect(wants).not.toContain('1=1');
  });
});
