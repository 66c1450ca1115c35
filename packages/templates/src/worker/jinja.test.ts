import { expect, test } from '@jest/globals';
import { compileTemplate } from './sandbox.ts';

// What is expected here was printed by Jinja2 3.1 itself.
const context = {
  data: {
    name: 'BER-1',
    list: [1, 2, 3],
    none: null,
    cf: { tier: 'gold', floors: 3 },
    tags: [
      { name: 'Alpha', slug: 'alpha' },
      { name: 'Bravo', slug: 'bravo' },
    ],
    nums: [
      { n: 3, m: 1 },
      { n: 1, m: 2 },
      { n: 3, m: 3 },
    ],
  },
  tree: [
    {
      n: 1,
      c: [
        { n: 2, c: [] },
        { n: 3, c: [{ n: 4, c: [] }] },
      ],
    },
  ],
};
const render = (template: string) => compileTemplate(template)(structuredClone(context));

test.each([
  ['{% for x in data.list if x > 1 %}{{ loop.index }}{{ x }}{% else %}no{% endfor %}', '1223'],
  ['{% for x in data.list if x > 9 %}{{ x }}{% else %}none{% endfor %}', 'none'],
  ['{% set x = 0 %}{% for i in data.list %}{% set x = x + i %}{{ x }}{% endfor %}={{ x }}', '123=0'],
  [
    '{% set ns = namespace(total=0) %}{% for i in data.list %}{% set ns.total = ns.total + i %}{% endfor %}{{ ns.total }} {{ ns }}',
    "6 <Namespace {'total': 6}>",
  ],
  ['{% set ns = namespace({"a": 1}, b=2) %}{{ ns.a }}{{ ns["b"] }}{{ ns.missing }}', '12'],
  [
    '{% for x in data.list %}{{ loop.cycle("odd", "even") }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.depth }}{{ loop.changed(x > 1) }}{% endfor %}',
    'odd21Trueeven131Trueodd21False',
  ],
  ['{% for i in data.list %}{{ x }}{% set x = i %}{% endfor %}', ''],
  [
    '{% set c = cycler("a", "b") %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.current }}',
    'ababNonea',
  ],
  ['{% set j = joiner("|") %}{{ j() }}a{{ j() }}b{{ j() }}c', 'a|b|c'],
  ['{% set j = joiner() %}{{ j() }}a{{ j() }}b', 'a, b'],
  ['{{ data.cf | pprint }} {{ "a" | pprint }}', "{'floors': 3, 'tier': 'gold'} 'a'"],
  [
    '{{ data | pprint }}',
    "{'cf': {'floors': 3, 'tier': 'gold'},\n 'list': [1, 2, 3],\n 'name': 'BER-1',\n 'none': None,\n 'nums': [{'m': 1, 'n': 3}, {'m': 2, 'n': 1}, {'m': 3, 'n': 3}],\n 'tags': [{'name': 'Alpha', 'slug': 'alpha'},\n          {'name': 'Bravo', 'slug': 'bravo'}]}",
  ],
  [
    '{{ 1 | filesizeformat }} {{ 999 | filesizeformat }} {{ 1000 | filesizeformat }} {{ 123456789 | filesizeformat }} {{ 123456789 | filesizeformat(true) }} {{ 5 | filesizeformat(binary=true) }} {{ "12" | filesizeformat }}',
    '1 Byte 999 Bytes 1.0 kB 123.5 MB 117.7 MiB 5 Bytes 12 Bytes',
  ],
  [
    '{{ {"a": 1, "b": none, "c": "<x>", "d": missing} | xmlattr }}|{{ {"a": 1} | xmlattr(false) }}|{{ {} | xmlattr }}',
    ' a="1" c="&lt;x&gt;"|a="1"|',
  ],
  [
    '{{ data.cf | tojson }} {{ "<&\'>é" | tojson }} {{ [1, "a", none, true] | tojson }} {{ {} | tojson }} {{ [] | tojson }}',
    '{"floors": 3, "tier": "gold"} "\\u003c\\u0026\\u0027\\u003e\\u00e9" [1, "a", null, true] {} []',
  ],
  [
    '{{ {"b": [1, {}], "a": {"c": []}} | tojson(indent=2) }} {{ [1] | tojson(4) }}',
    '{\n  "a": {\n    "c": []\n  },\n  "b": [\n    1,\n    {}\n  ]\n} [\n    1\n]',
  ],
  ['{% with %}{% set z = 1 %}{{ z }}{% endwith %}[{{ z }}]', '1[]'],
  ['{% with a = 1, b = data.name %}{{ a }}{{ b }}{% endwith %}[{{ a }}]', '1BER-1[]'],
  ['{% set a, b = 1, 2 %}{{ a }}{{ b }}', '12'],
  ['{% set a, b = [3, 4] %}{{ a }}{{ b }}', '34'],
  ['{% set x | upper %}abc{% endset %}{{ x }}', 'ABC'],
  ['{% set x | replace("a", "z") | upper %}abc{% endset %}{{ x }}', 'ZBC'],
  ['{% set x %}{% set y = 1 %}{{ y }}{% endset %}{{ x }}[{{ y }}]', '1[]'],
  ['{% for k, v in data.cf.items() %}{{ k }}{{ v }}{% endfor %}', 'tiergoldfloors3'],
  ['{% for k, v in data.cf | items %}{{ k }}{{ v }}{% endfor %}', 'tiergoldfloors3'],
  ['{% for a, b in [[1, 2], [3, 4]] %}{{ a }}{{ b }}{% endfor %}', '1234'],
  ['{% for x in 1, 2 %}{{ x }}{% endfor %}', '12'],
  ['{% for t in tree recursive %}{{ t.n }}{% if t.c %}({{ loop(t.c) }}){% endif %}{% endfor %}', '1(23(4))'],
  ['{% for t in tree recursive %}{{ loop.depth }}{{ loop.depth0 }}{{ loop(t.c) }}{% endfor %}', '10212132'],
  [
    '{% for x in data.list %}{% for y in data.list %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}',
    '123112321233',
  ],
  [
    '{% for x in data.list %}{{ loop.first }}{{ loop.last }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.length }}{{ loop.index0 }} {% endfor %}',
    'TrueFalse3230 FalseFalse2131 FalseTrue1032 ',
  ],
  ['{% for x in "abc" %}{{ x }}{{ loop.last }}{% endfor %}', 'aFalsebFalsecTrue'],
  [
    '{{ 2 * 7 // 2 }} {{ 3 * 10 % 4 }} {{ 8 - 2 + 3 - 1 }} {{ 2 ** 3 ** 2 }} {{ -1 | abs }} {{ 1 + 2 is odd }} {{ 2 * 3 | string }}',
    '7 2 8 64 1 1 33',
  ],
  ['{{ "a" if false else "b" if true else "c" }} {{ "a" if false else "b" if false else "c" }}', 'b c'],
  [
    '{{ 5 is divisibleby 5 }} {{ 5 is divisibleby(3) }} {{ 5 is eq 5 }} {{ 1 is in [1, 2] }} {{ 3 is not in [1, 2] }} {{ none is sameas none }} {{ 5 is not divisibleby 2 and true }}',
    'True False True True True True True',
  ],
  [
    '{{ "upper" is filter }} {{ "nope" is filter }} {{ "odd" is test }} {{ "nope" is test }} {{ "x" is escaped }}',
    'True False True False False',
  ],
  [
    '{{ true is true }} {{ false is false }} {{ 1 is true }} {{ none is none }} {{ 3 is number }} {{ "a" is string }} {{ data is mapping }} {{ data.list is sequence }} {{ data is sequence }} {{ data.list is iterable }} {{ 5 is iterable }} {{ 3 is integer }} {{ 3.5 is float }} {{ true is boolean }} {{ true is integer }} {{ range is callable }}',
    'True True False True True True True True True True False True True True False True',
  ],
  [
    '{{ [1, 2, 3, 4, 5] | batch(2) | list }} {{ [1, 2, 3] | batch(2, "x") | list }} {{ [1, 2, 3, 4, 5] | slice(3) | list }} {{ [1, 2, 3, 4, 5] | slice(3, "x") | list }}',
    "[[1, 2], [3, 4], [5]] [[1, 2], [3, 'x']] [[1, 2], [3, 4], [5]] [[1, 2], [3, 4], [5, 'x']]",
  ],
  [
    '{{ data.tags | groupby("slug") | length }} {% for g in data.tags | groupby("slug") %}{{ g.grouper }}{{ g.list | length }}{% endfor %}',
    '2 alpha1bravo1',
  ],
  [
    '{{ data.tags | map(attribute="nope", default="d") | join(",") }} {{ data.tags | map("upper") | join }}',
    "d,d {'NAME': 'ALPHA', 'SLUG': 'ALPHA'}{'NAME': 'BRAVO', 'SLUG': 'BRAVO'}",
  ],
  [
    '{{ ["a", "b"] | map("upper") | join }} {{ ["a-b"] | map("replace", "-", "_") | first }} {{ [3, 1] | map("string") | list }}',
    "AB a_b ['3', '1']",
  ],
  [
    '{{ [1, 2, 3, 4] | select("odd") | list }} {{ [1, 2, 3, 4] | reject("odd") | list }} {{ [1, 2, 3] | select("gt", 1) | list }} {{ [0, 1, ""] | select | list }} {{ [0, 1] | reject | list }} {{ [1, 6] | select("divisibleby", 3) | list }}',
    '[1, 3] [2, 4] [2, 3] [1] [0] [6]',
  ],
  [
    '{{ data.tags | selectattr("slug", "in", ["alpha"]) | list | length }} {{ data.tags | rejectattr("slug", "equalto", "alpha") | map(attribute="name") | list }} {{ data.tags | selectattr("nope") | list }} {{ data.tags | selectattr("name") | list | length }}',
    "1 ['Bravo'] [] 2",
  ],
  [
    '{{ data.tags | selectattr("slug", "defined") | list | length }} {{ data.tags | selectattr("none", "undefined") | list | length }}',
    '2 2',
  ],
  [
    '{{ data.tags | min(attribute="slug") }} {{ [3, 1] | max }} {{ ["b", "A"] | min }} {{ [] | max }} {{ data.nums | sum(attribute="n") }} {{ [1, 2] | sum(start=10) }}',
    "{'name': 'Alpha', 'slug': 'alpha'} 3 A  7 13",
  ],
  [
    '{{ ["a", "A", "b"] | unique | list }} {{ ["a", "A"] | unique(true) | list }} {{ data.nums | unique(attribute="n") | list }}',
    "['a', 'b'] ['a', 'A'] [{'n': 3, 'm': 1}, {'n': 1, 'm': 2}]",
  ],
  [
    '{{ {"b": 1, "A": 2} | dictsort }} {{ {"b": 1, "A": 2} | dictsort(true) }} {{ {"b": 1, "A": 2} | dictsort(false, "value") }}',
    "[('A', 2), ('b', 1)] [('A', 2), ('b', 1)] [('b', 1), ('A', 2)]",
  ],
  [
    '{{ "one two three four five" | wordwrap(9) }}|{{ "abcdefghij" | wordwrap(4) }}|{{ "abcdefghij" | wordwrap(4, false) }}|{{ "a b\\nc d" | wordwrap(3) }}|{{ "aaa bbb" | wordwrap(3, wrapstring="//") }}',
    'one two\nthree\nfour five|abcd\nefgh\nij|abcdefghij|a b\nc d|aaa//bbb',
  ],
  [
    '{{ "a\\nb\\n\\nc" | indent }}|{{ "a\\nb\\n\\nc" | indent(2, true) }}|{{ "a\\nb\\n\\nc" | indent(2, true, true) }}|{{ "a\\nb" | indent("> ") }}',
    'a\n    b\n\n    c|  a\n  b\n\n  c|  a\n  b\n  \n  c|a\n> b',
  ],
  [
    '{{ "hello world foo" | truncate(11) }}|{{ "hello world foo bar" | truncate(8, true) }}|{{ "hello world foo bar" | truncate(8, end="!") }}|{{ "hello world" | truncate(9, leeway=0) }}',
    'hello world foo|hello...|hello!|hello...',
  ],
  [
    '{{ "%s-%05d-%x-%5.2f-%-6s|%+d|%e|%g|%o|%X|%c|%%" | format("a", 42, 255, 3.14159, "ab", 5, 12345.678, 0.0001, 8, 255, "z") }}',
    'a-00042-ff- 3.14-ab    |+5|1.234568e+04|0.0001|10|FF|z|%',
  ],
  ['{{ "%(a)s %(b)03d" | format(a="x", b=7) }} {{ "%s and %s" % ("a", "b") }} {{ "%d%%" % 5 }}', 'x 007 a and b 5%'],
  [
    '{{ "{:>6}|{:<6}|{:^6}|{:06.2f}|{:,}|{:x}|{:+d}|{!r}|{:*^9}|{:02d}" .format("a", "b", "c", 3.14159, 1234567, 255, 5, "q", "mid", 7) }}',
    "     a|b     |  c   |003.14|1,234,567|ff|+5|'q'|***mid***|07",
  ],
  [
    '{{ "{0}-{1}-{0} {name} {{}}".format("a", "b", name="n") }} {{ "{0[k]} {1[0]}".format({"k": 5}, [7]) }}',
    'a-b-a n {} 5 7',
  ],
  [
    '{{ "x,y" .split(",") }} {{ "a b  c".split() }} {{ "a.b.c".rsplit(".", 1) }} {{ "a=b=c".partition("=") }} {{ "a=b=c".rpartition("=") }} {{ "abc".center(7, "*") }} {{ "aXb".swapcase() }} {{ "abca".rfind("a") }} {{ "abc".find("z") }} {{ "a1".isalnum() }} {{ "12".isnumeric() }} {{ " ".isspace() }} {{ "Ab".casefold() }} {{ "a\\tb".expandtabs(4) }} {{ "Hello World".istitle() }} {{ "abc".index("c") }} {{ "12".isdecimal() }}',
    "['x', 'y'] ['a', 'b', 'c'] ['a.b', 'c'] ('a', '=', 'b=c') ('a=b', '=', 'c') **abc** AxB 3 -1 True True True ab a   b True 2 True",
  ],
  [
    '{% set l = [] %}{% set _ = l.append(1) %}{{ l.append(2) or "" }}{% set _ = l.extend([3, 4]) %}{{ l }} {{ l.pop() }} {{ l.pop(0) }} {{ l }}{{ l.insert(0, 9) }}{{ l }}{{ l.remove(2) }}{{ l }}{{ l.reverse() }}{{ l }}{{ l.index(9) }}{{ l.count(9) }}{{ l.clear() }}{{ l }}',
    '[1, 2, 3, 4] 4 1 [2, 3]None[9, 2, 3]None[9, 3]None[3, 9]11None[]',
  ],
  [
    '{% set d = {"a": 1} %}{% set _ = d.update({"b": 2}) %}{% set _ = d.update(c=3) %}{{ d }}{{ d.pop("a") }}{{ d.pop("zz", 5) }}{{ d.setdefault("q", 7) }}{{ d.keys() | list }}{{ d.values() | list }}{{ d.get("zz") }}{{ d.get("zz", 1) }}{{ d.copy() }}',
    "{'a': 1, 'b': 2, 'c': 3}157['b', 'c', 'q'][2, 3, 7]None1{'b': 2, 'c': 3, 'q': 7}",
  ],
  [
    '{{ "12abc" | int }} {{ "3.7" | int }} {{ "0x1f" | int(base=16) }} {{ "x" | int(7) }} {{ 3.9 | int }} {{ " 5 " | int }} {{ true | int }} {{ "1.5" | float }} {{ "z" | float(2.5) }} {{ none | int }}',
    '0 3 31 7 3 5 1 1.5 2.5 0',
  ],
  [
    '{{ 2.5 | round | int }} {{ 3.5 | round | int }} {{ 42.55 | round(1) }} {{ 42.51 | round(1, "floor") }} {{ 2.1 | round(method="ceil") | int }} {{ 1234.5 | round(-2) | int }}',
    '2 4 42.5 42.5 3 1200',
  ],
  [
    '{{ "foo bar-baz (qux) it\'s" | title }} {{ "fOO bar" | capitalize }} {{ "<a b=\'c\'>x</a>  y <!-- c -->z" | striptags }} {{ "a b&c=d/é" | urlencode }} {{ {"a": 1, "b": "x y"} | urlencode }} {{ [["a", 1], ["b", "x/y"]] | urlencode }}',
    "Foo Bar-Baz (Qux) It's Foo bar x y z a%20b%26c%3Dd/%C3%A9 a=1&b=x+y a=1&b=x%2Fy",
  ],
  [
    '{{ "a b c" | wordcount }} {{ "abc" | reverse }} {{ [1, 2] | reverse | list }} {{ "abc" | list }} {{ "abc" | first }} {{ [1, 2] | last }} {{ "  x " | trim }} {{ "xxaxx" | trim("x") }} {{ "abc" | center(9) }}|',
    "3 cba [2, 1] ['a', 'b', 'c'] a 2 x a    abc   |",
  ],
  [
    '{{ [3, 1, 2] | sort(reverse=true) }} {{ data.nums | sort(attribute="n") | map(attribute="n") | list }} {{ data.nums | sort(attribute="n,m", reverse=true) | map(attribute="m") | list }} {{ ["b", "A", "c"] | sort(case_sensitive=true) }}',
    "[3, 2, 1] [1, 3, 3] [3, 1, 2] ['A', 'b', 'c']",
  ],
  [
    '{% macro m(a, b=2, c=3) %}{{ a }}{{ b }}{{ c }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1) }}|{{ m(1, c=5) }}|{{ m(1, 2, 3, 4, 5) }}|{{ m(1, z=9) }}|{{ m(b=1, a=0) }}',
    "123(){}|125(){}|123(4, 5){}|123(){'z': 9}|013(){}",
  ],
  ['{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}', '11'],
  ['{% macro box(t) %}<{{ t }}>{{ caller() }}</{{ t }}>{% endmacro %}{% call box("p") %}hi{% endcall %}', '<p>hi</p>'],
  [
    '{% macro each(l) %}{% for x in l %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(x) each([1, 2]) %}[{{ x }}]{% endcall %}',
    '[1][2]',
  ],
  ['{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% set x = 2 %}{{ m() }}', '12'],
  ['{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}', '12'],
  ['{% macro fact(n) %}{{ 1 if n < 2 else n * (fact(n - 1) | int) }}{% endmacro %}{{ fact(5) }}', '120'],
  ['{% if true %}{% set y = 5 %}{% endif %}{{ y }}', '5'],
  ['{% filter upper | replace("A", "z") %}abc{% endfilter %}', 'zBC'],
  ['{% filter indent(2) %}a\nb{% endfilter %}', 'a\n  b'],
  [
    '{{ dict(a=1, b=2) }} {{ dict({"a": 1}, b=2) }} {{ dict([["a", 1]]) }} {{ range(3) | list }} {{ range(1, 10, 3) | list }} {{ range(5, 0, -2) | list }}',
    "{'a': 1, 'b': 2} {'a': 1, 'b': 2} {'a': 1} [0, 1, 2] [1, 4, 7] [5, 3, 1]",
  ],
  [
    '{{ [1, 2] + [3] }} {{ [1] * 3 }} {{ "a" + "b" }} {{ 1 ~ "a" }} {{ "abc"[1:] }} {{ [1, 2, 3][-1] }} {{ [1, 2, 3][:2] }} {{ "abc"[-2:] }} {{ 5 % 3 }} {{ -5 % 3 }} {{ -5 // 2 }} {{ 5 / 2 }}',
    '[1, 2, 3] [1, 1, 1] ab 1a bc 3 [1, 2] bc 2 1 -3 2.5',
  ],
  [
    '{{ 1 == 1 and 2 > 1 or false }} {{ not false }} {{ not (1 == 2) }} {{ 1 < 2 < 3 }} {{ 3 > 2 > 2 }} {{ "a" in "abc" }} {{ "a" in {"a": 1} }} {{ 1 not in [2] }}',
    'True True True True False True True True',
  ],
  ['{{ 1 if true }} {{ "x" if false }}|', '1 |'],
  ['a {%- if true %} b {% endif -%} c {{- 1 -}} d {#- c -#} e', 'a b c1de'],
  ['{% raw %}{{ x }}{% endraw %}', '{{ x }}'],
  ['{{ "\\x41\\u00e9" }}', 'Aé'],
  [
    '{{ data.list | join("-") }} {{ data.tags | join(", ", attribute="slug") }} {{ [1, [2, "x"]] | join(",") }}',
    "1-2-3 alpha, bravo 1,[2, 'x']",
  ],
  ['{{ "abc" | replace("b", "x") }} {{ "aaa" | replace("a", "b", 2) }} {{ "a" | upper ~ "b" }}', 'axc bba Ab'],
  ['{{ data.nums | sum(attribute="n") / 2 }} {{ data.nums | length > 1 }}', '3.5 True'],
  [
    '{% for x in data.list %}{% if loop.index is even %}{% set z = "e" %}{% else %}{% set z = "o" %}{% endif %}{{ z }}{% endfor %}',
    'oeo',
  ],
  ['{% for x in data.list -%}\n  {{ x }}\n{%- endfor %}', '123'],
  ['{% if data.list and data.name == "BER-1" and not data.none %}ok{% elif x %}b{% else %}c{% endif %}', 'ok'],
  [
    '{{ data.name.lower() if data.name else "-" }} {{ (data.name | lower).upper() }} {{ data.list | map("float") | sum | int }} {{ data["name"] }} {{ data.get("name") }}',
    'ber-1 BER-1 6 BER-1 BER-1',
  ],
  [
    '{{ "a" | e }} {{ "<" | escape }} {{ "<" | forceescape }} {{ "x" | safe }} {{ "a\\nb" | replace("\\n", "\\\\n") }}',
    'a &lt; &lt; x a\\nb',
  ],
  [
    '{{ data.list is defined and data.list | length > 0 }} {{ data.list | length == 3 }} {{ 5 is gt 3 }} {{ 5 is lessthan(6) }} {{ "A" is upper }} {{ "a" is lower }}',
    'True True True True True True',
  ],
  ['{{ "a,b;c" | replace(",", ";") | trim | upper | list | unique | sort | join }}', ';ABC'],
  [
    '{{ ["x"] | first | upper }} {{ ("a" ~ "b") | upper }} {{ -3 | abs }} {{ - 3 + 5 }} {{ +3 }} {{ 2 - -1 }} {{ -2 ** 2 }}',
    'X AB 3 2 3 3 4',
  ],
  [
    '{{ [[1, "b"], [1, "a"]] | sort }} {{ [true, false] | sort }} {{ 10 ** 20 }} {{ 3 * 1.5 }} {{ 0.1 + 0.2 }} {{ 1.10 }}',
    "[[1, 'a'], [1, 'b']] [False, True] 100000000000000000000 4.5 0.30000000000000004 1.1",
  ],
  ['{{ "a\\"b" }} {{ \'a\\\'b\' }} {{ "tab\\there" }} {{ "\\d" }}', 'a"b a\'b tab\there \\d'],
  [
    '{{ data.list | default("x") }} {{ missing | default("y") }} {{ "" | default("z", boolean=true) }}',
    '[1, 2, 3] y z',
  ],
  ['{{ {data.name: 1, "k": (1)} }} {{ (1, 2) }} {{ (1,) }} {{ () }}', "{'BER-1': 1, 'k': 1} (1, 2) (1,) ()"],
  ['{{ {"a": {"b": {}}} }}{{ {"a": {"b": [1, {}]}}.a.b[0] }}', "{'a': {'b': {}}}1"],
  [
    '{% set ns = namespace(found=false) %}{% for t in data.tags %}{% if t.slug == "bravo" %}{% set ns.found = true %}{% endif %}{% endfor %}{{ "yes" if ns.found else "no" }}',
    'yes',
  ],
  ['{% for row in data.list | batch(2, "-") %}{{ row | join(" ") }};{% endfor %}', '1 2;3 -;'],
  [
    '{% for name, list in data.nums | groupby("n") %}{{ name }}={{ list | map(attribute="m") | join("+") }} {% endfor %}',
    '1=2 3=1+3 ',
  ],
  [
    '{{ data.cf | items | sort | list }} {{ data.cf | dictsort | map("first") | join(",") }} {{ data.tags | map(attribute="name") | map("lower") | sort(reverse=true) | join("/") }}',
    "[('floors', 3), ('tier', 'gold')] floors,tier bravo/alpha",
  ],
  [
    '{% macro field(name, value="", type="text") -%}<input name="{{ name }}" type="{{ type }}">{%- endmacro %}{{ field("a", type="b") }}',
    '<input name="a" type="b">',
  ],
  [
    '{% for i in range(3) %}{% for j in range(2) %}{{ loop.index0 }}{% endfor %}{{ loop.index0 }} {% endfor %}',
    '010 011 012 ',
  ],
  [
    '{{ "%.2f" | format(3.14159) }} {{ "%3d|%-3d|%03d" | format(5, 5, 5) }} {{ "%s" | format([1, "a"]) }} {{ "%r" | format("a") }}',
    "3.14   5|5  |005 [1, 'a'] 'a'",
  ],
  [
    '{{ "{:.1f}% {:>4} {:e} {:g} {:%}".format(12.34, 5, 1234.5, 0.5, 0.25) }}',
    '12.3%    5 1.234500e+03 0.5 25.000000%',
  ],
])('%s', (template, printed) => {
  expect(render(template)).toBe(printed);
});

test.each([
  ['{% set d = {} %}{% set d.x = 1 %}{{ d }}', 'cannot assign attribute on non-namespace object'],
  ['{{ {"a b": 1} | xmlattr }}', "Invalid character in attribute name: 'a b'"],
  ['{% for a, b in [[1, 2, 3]] %}{{ a }}{% endfor %}', 'too many values to unpack (expected 2)'],
  ['{% for a, b in [[1]] %}{{ a }}{% endfor %}', 'not enough values to unpack (expected 2, got 1)'],
  ['{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1, 2, 3) }}', "macro 'm' takes not more than 2 argument(s)"],
  ['{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1, z=3) }}', "macro 'm' takes no keyword argument 'z'"],
])('%s is refused', (template, message) => {
  expect(() => render(template)).toThrow(message);
});
