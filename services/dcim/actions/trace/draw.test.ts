import { expect, test } from '@jest/globals';
import { draw } from './draw.ts';
import { layoutOf } from './layout.ts';
import type { Scene } from './scene.ts';
import { ENGLISH, measured } from './words.ts';

const port = (name: string) => ({
  key: name,
  name,
  title: `${name}\n<b>`,
  href: `http://x/dcim/interfaces/1/?a=1&b=${name}`,
});
const scene = (more: Partial<Scene> = {}): Scene => ({
  title: 'Path from <r1>',
  ways: [],
  moreWays: 0,
  outcome: 'complete',
  summary: ['It is "complete"', '1 segment'],
  levels: [
    [
      {
        key: 'd',
        kind: 'router',
        name: 'r<1>',
        lines: ['A & B'],
        href: 'http://x/d/',
        color: '00ff00',
        above: [],
        below: [port('p')],
      },
    ],
    [{ key: 'e', kind: 'site', name: 'S', lines: [], href: '/s/', color: null, above: [port('q')], below: [] }],
  ],
  links: [
    [
      {
        near: ['p'],
        far: ['q'],
        cable: {
          name: 'L<1>',
          details: ['CAT6', '2 m · Planned'],
          title: 'Cable',
          href: 'http://x/cables/1/',
          color: 'ff0000',
          status: 'planned',
        },
      },
    ],
  ],
  ...more,
});
const drawn = (more: Partial<Scene> = {}): string => {
  const made = scene(more);
  return draw(layoutOf(made), made.outcome);
};

test('a drawing shows devices, ports and cables with links, and no text of theirs is markup', () => {
  const svg = drawn();
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+"/);
  for (const part of [
    '>r&lt;1&gt;</text>',
    '>A &amp; B</text>',
    '>ROUTER</text>',
    'fill="#00ff00"',
    'href="http://x/dcim/interfaces/1/?a=1&amp;b=p"',
    '>L&lt;1&gt;</text>',
    '>2 m · Planned</text>',
    'class="cable planned"',
    'style="stroke:#ff0000"',
    'It is &quot;complete&quot;',
    '<g class="complete">',
  ])
    expect(svg).toContain(part);
  expect(svg).not.toMatch(/<b>|<r1>|NaN|undefined|Infinity/);
});

test('a drawing is light, and dark for whoever prefers that', () => {
  expect(drawn()).toMatch(
    /<style>svg\{--ground:#ffffff[^}]*\}@media\(prefers-color-scheme:dark\)\{svg\{--ground:#1\w+/,
  );
});

test('cables without a colour have that of the drawing, and what is no cable is dotted', () => {
  const [[link]] = scene().links as [[Scene['links'][0][0]]];
  const plain = drawn({ links: [[{ ...link!, cable: { ...link!.cable!, color: null } }]] });
  expect([plain.includes('style="stroke'), plain.includes('class="casing')]).toEqual([false, false]);
  expect(drawn({ links: [[{ ...link!, cable: null }]] })).toContain('<path class="beside"');
});

test.each(['complete', 'inactive', 'split', 'open'] as const)('a path that is %s is marked as that', (outcome) => {
  expect(drawn({ outcome })).toContain(`<g class="${outcome}">`);
});

test.each([
  [{ segments: 1, cables: 1, metres: 12.5, unmeasured: 0 }, '1 segment · 1 cable · total length 12.5 m (41 ft)'],
  [
    { segments: 5, cables: 5, metres: 1294.94, unmeasured: 1 },
    '5 segments · 5 cables · total length 1.295 km (4,248 ft) · 1 cable without a length',
  ],
  [{ segments: 2, cables: 2, metres: 0, unmeasured: 2 }, '2 segments · 2 cables · no length known'],
  [{ segments: 0, cables: 0, metres: 0, unmeasured: 0 }, '0 segments · 0 cables'],
])('%j is said in words', (given, said) => {
  expect(measured(given, ENGLISH)).toBe(said);
});
