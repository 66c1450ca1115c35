// The pages of models, from their declarations alone, in a browser: axe-core finds nothing, there are no errors in the
// console, they fit a phone, and they work without scripts.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiPath, loadCatalogue, type Model, webPath } from '@cadastre/model';
import { PASSWORD, startSystem, type System } from '../../../tools/testing/fresh-system.ts';
import { inBrowser, useBrowser, type Window, windowOf } from './browser.ts';
import { type Body, Client } from '../client.ts';
import { looked, lookedWithout } from './looked.ts';
import { Maker } from '../objects/maker.ts';

const catalogue = await loadCatalogue(resolve(import.meta.dirname, '../../..', 'services'));
const withPages = [...catalogue.models.values()].filter((model) => webPath(model) !== undefined);

/** Tests of the pages of some models, in a browser and with a system of their own. */
export function testPages(isMeant: (model: Model) => boolean): void {
  inBrowser('in a browser', () => inOrder(withPages.filter(isMeant)));
}

function inOrder(models: readonly Model[]): void {
  // Nobody sees the frames, and drawing them takes long.
  const browser = useBrowser({ drawn: false });
  let system: System;
  let admin: Client;
  let maker: Maker;
  let window: Window;
  let plain: Window;
  const forms = new Set<string>();
  beforeAll(async () => {
    // A system of its own: the rules and required custom fields that are created here would disturb other tests.
    system = await startSystem();
    admin = new Client(system.base, `Token ${system.token}`);
    maker = new Maker(catalogue, admin);
    // Where frames are drawn all the same, they should be small.
    const deviceScaleFactor = 0.2;
    window = await windowOf(browser, system.base, { deviceScaleFactor }, PASSWORD);
    plain = await windowOf(browser, system.base, { deviceScaleFactor, javaScriptEnabled: false }, PASSWORD);
  });
  afterAll(() => system?.stop());

  /** An object to show, if there is one, and the addresses of its pages. */
  async function objectOf(model: Model): Promise<{ paths: string[]; remove(): Promise<unknown> }> {
    const [api, home] = [apiPath(model), webPath(model)!];
    const kept = async () => undefined;
    if (model.readOnly || model.fromEvents) {
      const [one] = (await admin.read(`${api}?limit=1`)).results as Body[];
      return { paths: one ? [`${home}${one.id}/`] : [], remove: kept };
    }
    const { made } = await maker.make(model);
    const log = model.features.has('changeLogging') ? ['changelog/'] : [];
    const notes = model.features.has('journaling') ? ['journal/'] : [];
    return {
      paths: ['', 'edit/', 'delete/', ...log, ...notes].map((rest) => `${home}${made.id}/${rest}`),
      remove: () => admin.delete(`${api}${made.id}/`),
    };
  }

  test.each(models.map((model) => [model.name, model] as const))('the pages of %s are in order', async (_, model) => {
    const home = webPath(model)!;
    const { paths, remove } = await objectOf(model);
    const all = [home, ...(model.readOnly || model.fromEvents ? [] : [`${home}add/`]), ...paths];
    const [scripted, without] = await Promise.all([
      // The menu is the same on all of them, and `accessible.test.ts` looks at it.
      looked(window, system.base, all, { without: ['nav.menu'], forms }),
      lookedWithout(plain, system.base, all),
    ]);
    expect({ scripted, without }).toEqual({ scripted: {}, without: {} });
    await remove();
  });
}
