import { expect, test } from '@jest/globals';
import { JinjaCompiler } from './compiler.ts';
import { parseTemplate } from './parse.ts';

const pieces = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{%-',
  '-%}',
  ' set ',
  ' for ',
  ' in ',
  ' if ',
  ' else ',
  ' elif ',
  ' endif ',
  ' endfor ',
  ' endset ',
  ' macro ',
  ' endmacro ',
  ' call ',
  ' endcall ',
  ' with ',
  ' endwith ',
  ' filter ',
  ' recursive ',
  ' raw ',
  ' endraw ',
  ' switch ',
  ' case ',
  ' is ',
  ' not ',
  ' and ',
  ' or ',
  'x',
  'ns',
  'loop',
  'range',
  'constructor',
  '__proto__',
  'upper',
  'attr',
  'eq',
  'none',
  'true',
  '1',
  '2.5',
  '"',
  "'",
  '"a"',
  '"\\""',
  '\\',
  '\\x22',
  '\\u0022',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  ':',
  '|',
  '=',
  '==',
  '+',
  '-',
  '*',
  '/',
  '%',
  '~',
  '`',
  '${',
  ';',
  '\n',
  '\u2028',
  '"+process.exit(7)+"',
  'process',
  'x=1',
  '(x, y)',
  '{{ x }}',
  '{% set x = 1 %}',
  '{% set ns.x = 1 %}',
  '{% for x in y %}',
  '{% endfor %}',
  '{% macro m(a, b=1) %}',
  '{% endmacro %}',
  '{% with a = 1 %}',
  '{% endwith %}',
  '{% if x %}',
  '{% endif %}',
  '{% call m() %}',
  '{% endcall %}',
  '{% filter upper %}',
  '{% endfilter %}',
];
const words = new Set(
  `function root env context frame runtime cb var lineno colno output try catch e parentTemplate null rootRenderFunc handleError return if else true false undefined switch case break default opts autoescape
  arithmetic concat truth inOperator and or compare test tuple dict makeKeywordArgs callWrap contextOrFrameLookup memberLookup suppressValue getFilter call loop scoped macro set setEach setAttribute
  names recursive filter body otherwise name uses parameters`.split(/\s+/),
);

test('whatever a template says, its program names nothing but our runtime', () => {
  // The same templates every time: a simple generator of numbers.
  let seed = 7;
  let compiled = 0;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let i = 0; i < 3_000; i += 1) {
    const template = Array.from({ length: 1 + next(16) }, () => pieces[next(pieces.length)]).join('');
    const compiler = new JinjaCompiler();
    try {
      compiler.compile(parseTemplate(template));
    } catch {
      continue;
    }
    compiled += 1;
    const code = compiler.getCode();
    expect(() => new Function(code)).not.toThrow();
    const bare = code.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
    const named = bare.match(/[A-Za-z_$][\w$]*/g) ?? [];
    expect([template, named.filter((word) => !words.has(word) && !/^t_\d+$/.test(word)), /['`]/.test(bare)]).toEqual([
      template,
      [],
      false,
    ]);
  }
  expect(compiled).toBeGreaterThan(500);
});
