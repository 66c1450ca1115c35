import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const password = 'Correct-Horse-9';
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

describe('scripts and styles', () => {
  const linked = async (end: string): Promise<string[]> => {
    const { html } = await admin.get('/');
    return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!).filter((path) => path.endsWith(end));
  };
  const bodies = (paths: readonly string[]): Promise<Buffer[]> =>
    Promise.all(paths.map(async (path) => Buffer.from(await (await fetch(used.system.base + path)).arrayBuffer())));
  const packed = (all: readonly Buffer[], pack: (body: Buffer) => Buffer): number =>
    all.reduce((sum, body) => sum + pack(body).length, 0);

  test.each([
    ['.js', 27_000, 22_800],
    ['.css', 11_600, 10_000],
  ])('%s: at most %d bytes with gzip, %d with brotli', async (end, gzipped, brotli) => {
    const all = await bodies(await linked(end));
    expect(all.length).toBeGreaterThan(0);
    expect(packed(all, gzipSync)).toBeLessThan(gzipped);
    expect(packed(all, brotliCompressSync)).toBeLessThan(brotli);
  });
  test('have the hash of what is in them in their names, and are kept for ever', async () => {
    for (const path of [...(await linked('.js')), ...(await linked('.css'))]) {
      expect(path).toMatch(/\.[0-9a-f]{16}\.(js|css)$/);
      const answer = await fetch(used.system.base + path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect((await fetch(used.system.base + path.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.'))).status).toBe(404);
    }
  });
});

describe('a list that is asked for again', () => {
  const proofs = (html: string): string[] =>
    [...html.matchAll(/name="csrf_token" value="([^"]*)"/g)].map(([, one]) => one!);
  const without = (html: string): string => html.replaceAll(/name="csrf_token" value="[^"]*"/g, '');

  test('is the same but for the mark of its forms, and shows at once what has changed, for each what is theirs', async () => {
    const name = unique('again');
    const site = await used.admin.make('/api/dcim/sites/', { name, slug: name });
    const path = `/dcim/sites/?slug=${name}`;
    const [first, second] = [(await admin.get(path)).html, (await admin.get(path)).html];
    expect(without(second)).toBe(without(first));
    expect(first).toContain(`>${name}</a>`);
    expect(proofs(first).length).toBeGreaterThan(1);
    expect(new Set([...proofs(first), ...proofs(second)]).size).toBe(2);

    const reader = await userWith(used.admin, { actions: ['view'] });
    const session = await logIn(used.system.base, reader.name, password);
    const theirs = async (): Promise<string> => (await session.get(path)).html;
    expect(await theirs()).toContain(`>${reader.name}<`);
    expect(await theirs()).not.toMatch(/Edit selected|name="pk"/);
    await used.admin.patch(`/api/users/permissions/${reader.permissions[0].id}/`, { actions: ['view', 'change'] });
    expect(await theirs()).toContain('name="pk"');
    await reader.client.patch('/api/users/config/', { tables: { SiteTable: { columns: ['name', 'slug'] } } });
    expect(await theirs()).not.toContain('>Status<');
    expect((await admin.get(path)).html).toContain('>Status<');

    await used.admin.patch(`/api/dcim/sites/${site.id}/`, { name: `${name} renamed` });
    expect(await theirs()).toContain(`>${name} renamed</a>`);
    expect((await admin.get(path)).html).toContain(`>${name} renamed</a>`);
  });
});

describe('the search', () => {
  const found = async (session: Session, text: string): Promise<string> => {
    const { html } = await session.get(`/search/?q=${encodeURIComponent(text)}`);
    return html.slice(html.indexOf('<main'));
  };
  const site = async (more: object = {}): Promise<{ id: number; name: string }> => {
    const name = unique('site');
    return used.admin.make('/api/dcim/sites/', { name, slug: name, ...more });
  };

  test('looks into custom fields that are to be searched, and into no others', async () => {
    const [said, silent] = [unique('said').replaceAll('-', '_'), unique('silent').replaceAll('-', '_')];
    const fields = [
      { name: said, search_weight: 500 },
      { name: silent, search_weight: 0 },
    ];
    for (const one of fields)
      await used.admin.make('/api/extras/custom-fields/', { ...one, type: 'text', object_types: ['dcim.site'] });
    const one = await site({ custom_fields: { [said]: 'Beneath the Stairs', [silent]: 'secret corner' } });
    expect(await found(admin, 'the stairs')).toContain(`/dcim/sites/${one.id}/`);
    expect(await found(admin, 'secret corner')).not.toContain(`/dcim/sites/${one.id}/`);
  });

  test('finds addresses by how they begin and by parts of their names', async () => {
    const name = unique('host');
    const { id } = await used.admin.make('/api/ipam/ip-addresses/', {
      address: '10.217.45.17/24',
      dns_name: `${name}.example.net`,
    });
    for (const text of ['10.217.45.17', '10.217.4', `${name.slice(2)}.EXAMPLE`])
      expect(await found(admin, text)).toContain(`/ipam/ip-addresses/${id}/`);
    for (const text of ['.217.45.17', `${name}x`])
      expect(await found(admin, text)).not.toContain(`/ipam/ip-addresses/${id}/`);
  });

  test('what is called like the text comes first, also where many more hold it', async () => {
    const name = unique('many');
    await used.admin.make(
      '/api/dcim/sites/',
      Array.from({ length: 12 }, (_, i) => ({ name: `a${i} ${name}`, slug: `a${i}-${name}` })),
    );
    const { id } = await used.admin.make('/api/dcim/sites/', { name, slug: name });
    const html = await found(admin, name.toUpperCase());
    expect(/<ul><li><a href="([^"]+)"/.exec(html)![1]).toBe(`/dcim/sites/${id}/`);
    expect(html).toContain('13 found');
    expect(html).toContain(`href="/dcim/sites/?q=${name.toUpperCase()}"`);
  });

  test('counts and shows what a permission leaves, and no more', async () => {
    const word = unique('word');
    const [mine, other] = [await site({ description: word, facility: 'mine' }), await site({ description: word })];
    const { name } = await userWith(used.admin, {
      types: ['dcim.site'],
      actions: ['view'],
      constraints: { facility: 'mine' },
    });
    const html = await found(await logIn(used.system.base, name, password), word);
    expect(html).toContain(`/dcim/sites/${mine.id}/`);
    expect(html).not.toContain(`/dcim/sites/${other.id}/`);
    expect(html).toContain('1 found');
  });

  test('is nothing that clients reach past the pages', async () => {
    const answer = await fetch(`${used.system.base}/internal/found?q=a&type=dcim.site`, {
      headers: { cookie: admin.cookie },
    });
    expect(answer.status).toBe(404);
  });
});
