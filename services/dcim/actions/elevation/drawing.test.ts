import { expect, test } from '@jest/globals';
import { type Drawn, draw, type Picture } from './drawing.ts';

const drawn: Drawn = {
  label: 'r<1>',
  title: 'r<1>\n"x"',
  href: 'http://x/dcim/devices/7/?a=1&b=2',
  color: '00ff00',
  image: null,
};
const picture = (more: Partial<Picture> = {}): Picture => ({
  frame: { height: 4, first: 1, descending: false },
  face: 'front',
  sizes: { unitWidth: 100, unitHeight: 10, legendWidth: 20, marginWidth: 5 },
  standing: [{ id: 7, position: 2, height: 1.5, face: 'front', fullDepth: true }],
  drawn: new Map([[7, drawn]]),
  reserved: [],
  ...more,
});

test('a drawing is as large as its units, and devices stand at theirs', () => {
  const svg = draw(picture());
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="129" height="44"/);
  // Units 2 to 3.5 of four, counted from below.
  expect(svg).toContain('<rect x="22" y="17" width="100" height="15" fill="#00ff00"');
  expect(svg).toContain('href="http://x/dcim/devices/7/?a=1&amp;b=2"');
  expect(svg).toContain('>r&lt;1&gt;</text>');
  expect(draw(picture({ frame: { height: 4, first: 1, descending: true } }))).toContain(
    '<rect x="22" y="12" width="100" height="15" fill="#00ff00"',
  );
});

test('what stands at the other side, or may not be seen, is blocked', () => {
  for (const other of [picture({ face: 'rear' }), picture({ drawn: new Map() })]) {
    expect(draw(other)).toContain('<rect class="blocked" x="22" y="17"');
    expect(draw(other)).not.toContain('<a ');
  }
  expect(draw(picture({ drawn: new Map() }))).not.toContain('r&lt;1&gt;');
});

test('images and reservations are drawn where there are any', () => {
  expect(draw(picture({ drawn: new Map([[7, { ...drawn, image: '/media/a.png' }]]) }))).toContain(
    '<image href="/media/a.png"',
  );
  const svg = draw(picture({ reserved: [{ units: [1, 9], title: 'kept & free' }] }));
  expect(svg.match(/class="reserved"/g)).toHaveLength(1);
  expect(svg).toContain('<title>kept &amp; free</title>');
});
