import type { Json } from '@cadastre/model';
import type { Api, Shown } from './api.ts';
import type { Html } from './html.ts';

/** What every page and panel can use. */
export interface PageView {
  api: Api;
  /** Parameters of the address. */
  query: URLSearchParams;
  /** Fields of a form that was sent, without the proof; empty where none was. */
  given: URLSearchParams;
  /** Address of the page, without parameters. */
  path: string;
  /** A hidden field that has to come first in every form. */
  proof: Html;
  /** Whether somebody may ever do this to objects of a type. */
  may(action: string, type: string): Promise<boolean>;
  /** The page of an object, from its address in the API (`url`). */
  pageOf(url: string): string | undefined;
  /** A value as it stands everywhere: related objects are links, choices badges. */
  shown(value: Json | undefined): Html;
}

/** The same on the page of an object. */
export interface PanelView extends PageView {
  object: Shown;
}

/** What only one model's pages have: beside an object's fields, or as a tab of its own. One file under `pages/` each. */
export interface Panel {
  /** Type of the objects. */
  on: string;
  /** A tab's address is `<object>/<name>/`. */
  as: 'panel' | 'tab';
  name: string;
  title: string;
  /** Fields that it shows in its own way, so that they do not stand among the others. */
  shows?: readonly string[];
  /** Whether an object has it; without this, all have. */
  has?(object: Shown): boolean;
  /** What it shows; nothing where there is nothing to show. */
  render(view: PanelView): Promise<Html | undefined>;
  /**
   * For a tab that takes forms: what a form does; returns where to go on, or the tab once more with what is wrong.
   * @throws HttpError as the API refuses it
   */
  post?(view: PanelView): Promise<string | Html>;
}

/** A page that is about no single object, such as racks side by side. */
export interface OwnPage {
  /** With slashes at both ends; its first part is the service's app. */
  path: string;
  title: string;
  /** The entry of the menu under which it stands, by its group. */
  menu?: string;
  render(view: PageView): Promise<Html>;
  post?(view: PageView): Promise<string | Html>;
}

/** What a file under a service's `pages/` exports. */
export interface Parts {
  panels?: readonly Panel[];
  pages?: readonly OwnPage[];
}
