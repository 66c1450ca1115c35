import type { Json } from '@cadastre/model';
import type { Api, Shown } from '../api/api.ts';
import type { Html } from '../markup/html.ts';

/** How times are filled in. */
interface FilledTimes {
  /** The zone in which they are meant: its name stands beside each, within what `named` makes. */
  zone: string;
  /** A hidden field for the form, which names the zone. */
  field: Html;
  /** What stands beside a field of type `datetime-local`. */
  named(id: string): Html;
  /** The moment that is meant by what came in such a field. */
  instant(text: string): string;
}

/** What every page and panel can use. */
export interface PageView {
  api: Api;
  /** Parameters of the address. */
  query: URLSearchParams;
  /** Fields of a form that was sent, without the CSRF token; empty where none was. */
  submitted: URLSearchParams;
  /** Address of the page, without parameters. */
  path: string;
  /** A hidden field that has to come first in every form. */
  csrfField: Html;
  /** Whether the user may do this to at least some objects of a type. */
  may(action: string, type: string): Promise<boolean>;
  /** The page of an object, from its address in the API (`url`). */
  pageOf(url: string): string | undefined;
  /** The page of an object, from its type and id; without an id, the list of the type. */
  pageFor(type: string, id?: number): string | undefined;
  /** What objects of a type are called: `Site group`. */
  typeLabel(type: string): string;
  /** The label of a choice that a model declares, such as a state, in the language of the page's reader. */
  choiceLabel(label: string): string;
  /** Times that are filled in, in the zone of the user who fills them in. */
  times: FilledTimes;
  /** A value as all pages show it: related objects are links, choices badges. */
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
  /** Where a panel stands: among the others, or over the whole width above or below them. */
  place?: 'above' | 'below';
  /** Fields that it shows in its own way, so that they do not stand among the others. */
  shows?: readonly string[];
  /** Whether an object has it; without this, all have. */
  has?(object: Shown): boolean;
  /** Where the address of a tab leads for an object that does not have it; without this, there is no such page. */
  otherwise?(object: Shown): string;
  /**
   * What it shows; nothing where there is nothing to show.
   * @throws HttpError as the API refuses it: a 403 leaves a panel out, other errors and any of a tab become the answer
   */
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
  /** Only administrators see it there: nobody else could read it. */
  administrators?: boolean;
  /** What it shows, or the address where that is now. @throws HttpError as the API refuses it */
  render(view: PageView): Promise<Html | string>;
  post?(view: PageView): Promise<string | Html>;
}

/** What can be done to one object: a button beside its name, which posts to `<object>/<name>/`. */
export interface Action {
  /** Type of the objects. */
  on: string;
  name: string;
  title: string;
  /** The permission that it needs. */
  may: string;
  /** Whether it can be done to an object; without this, to all. */
  has?(object: Shown): boolean;
  /** Whether it is what most would do with the object. */
  main?(object: Shown): boolean;
  /** What it asks first, as a page of its own; without this, the button does it. */
  form?(view: PanelView): Promise<Html>;
  /**
   * Does it; returns where to go on, or the form once more with what is wrong.
   * @throws HttpError as the API refuses it
   */
  post(view: PanelView): Promise<string | Html | Outcome>;
}

/** The result of an action that can be seen nowhere else, such as a secret that is shown once. */
interface Outcome {
  shows: Html;
}

/** The objects of a list that somebody has ticked, or all that its filters select. */
interface Selected {
  ids: readonly number[];
  /** Filters, where all are meant. */
  all?: URLSearchParams;
}

/** What can be done to several objects of a list: a button below it, which posts to `<list>/<name>/`. */
export interface ListAction extends Pick<Action, 'on' | 'name' | 'title' | 'may'> {
  /** Returns where to go on. @throws HttpError as the API refuses it */
  post(view: PageView, selected: Selected): Promise<string>;
}

/** What stands above a model's list. */
export interface Banner {
  on: string;
  render(view: PageView): Promise<Html>;
}

/** How a member of a model's objects is shown in its list, where it is not shown as elsewhere. */
export interface Cell {
  on: string;
  name: string;
  /** Its head, where that is not the member's name. */
  title?: string;
  /** Further members that it shows. */
  shows?: readonly string[];
  render(object: Shown, view: PageView): Html;
}

/** Something that stands on the home page of those who want it there. */
export interface HomeWidget {
  /** Under which name its form knows it, and under which the dashboard keeps it. */
  name: string;
  kind: string;
  title: string;
  /** Its width in twelfths on a home page that its user has not changed; without this, users have to add it. */
  usual?: number;
  /** The page with all that it shows a part of. */
  href?(view: PageView): string | undefined;
  /** What it shows; nothing where somebody may not see it. */
  render(view: PageView): Promise<Html | undefined>;
}

/** What a file under a service's `pages/` exports. */
export interface Parts {
  panels?: readonly Panel[];
  pages?: readonly OwnPage[];
  actions?: readonly Action[];
  listActions?: readonly ListAction[];
  banners?: readonly Banner[];
  cells?: readonly Cell[];
  widgets?: readonly HomeWidget[];
}
