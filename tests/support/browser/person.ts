// A person at a browser, who clicks, types and chooses by what the page shows, not by its markup.
import type { Locator, Page } from 'playwright-core';
import type { Window } from './browser.ts';

/** A label as it is shown, with or without the mark of required fields. */
const labelled = (label: string): RegExp => new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}( \\*)?$`);

export class Person {
  readonly page: Page;
  readonly errors: string[];

  constructor({ page, errors }: Window) {
    this.page = page;
    this.errors = errors;
  }

  get main(): Locator {
    return this.page.locator('main');
  }

  /** A field by its label; in lower case, by its name in the API. */
  field(label: string): Locator {
    if (/^[a-z0-9_.]+$/.test(label)) return this.main.locator(`[id="f-${label}"]`);
    return this.main.getByLabel(labelled(label)).and(this.page.locator('input, select, textarea'));
  }

  /** A field that must exist; otherwise the error shows the fields that do. */
  async there(label: string): Promise<Locator> {
    const field = this.field(label);
    await field.waitFor({ timeout: 20_000 }).catch(async () => {
      throw new Error(`There is no field ${label} at ${this.page.url()}: ${(await this.text()).slice(0, 2_000)}`);
    });
    return field;
  }

  /** Types into fields, chooses in lists, by their labels. */
  async fill(values: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      const field = await this.there(label);
      if (await field.evaluate((one: { localName: string }) => one.localName === 'select'))
        await field.selectOption(value);
      else await field.fill(value);
    }
  }

  /** Types into a picker and chooses the match with the keyboard. */
  async pick(label: string, text: string): Promise<void> {
    const field = await this.there(label);
    await field.click();
    await field.pressSequentially(text);
    await this.page.getByRole('option', { name: text }).first().waitFor();
    await field.press('Enter');
    await field.and(this.page.locator('[aria-expanded=false]')).waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.main.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  }

  link(name: string | RegExp): Locator {
    return this.main.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name });
  }

  /** Presses a button, and waits for the page that follows. */
  async press(name: string | RegExp): Promise<void> {
    await this.gone(() => this.button(name).click());
  }

  /** Follows a link of the page. */
  async follow(name: string | RegExp): Promise<void> {
    await this.gone(() => this.link(name).first().click());
  }

  /** Runs an action that leads to another page, and waits for that page. */
  async gone(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), act()]);
  }

  /** Opens the form to add an object at the list of its kind, and saves it; returns the id. */
  async add(list: string, values: Record<string, string>, picked: Record<string, string> = {}): Promise<number> {
    await this.page.goto(list);
    await this.follow(/^Add /);
    for (const [label, text] of Object.entries(picked)) await this.pick(label, text);
    await this.fill(values);
    return this.saved();
  }

  /** Saves a form; returns the id of the object whose page follows. */
  async saved(): Promise<number> {
    await this.press('Save');
    const [, id] = /\/(\d+)\/$/.exec(new URL(this.page.url()).pathname) ?? [];
    if (!id) throw new Error(`Not saved: ${await this.said()}`);
    return Number(id);
  }

  /** The errors that the page shows. */
  async said(): Promise<string> {
    return (await this.main.getByRole('alert').allTextContents()).join(' ').replace(/\s+/g, ' ').trim();
  }

  async heading(): Promise<string> {
    return (await this.main.getByRole('heading', { level: 1 }).textContent()) ?? '';
  }

  text(): Promise<string> {
    return this.shown(this.main);
  }

  /** The text of an element in one line. */
  async shown(where: Locator): Promise<string> {
    const text = await where.evaluate((one: { innerText: string }) => one.innerText);
    return text.replace(/\s+/g, ' ').trim();
  }
}
