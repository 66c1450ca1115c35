import { type FoundPath, pathTable } from '@cadastre/rest/http/paths';
import { HttpError } from '@cadastre/service/errors';
import { apiPage } from '../features/api/page.ts';
import { listActionPage } from '../features/list/actions.ts';
import { actionPage } from '../features/object/action.ts';
import { bulkDeletePage } from '../features/bulk/bulkDelete.ts';
import { bulkEditPage } from '../features/bulk/bulkEdit.ts';
import { bulkRenamePage } from '../features/bulk/bulkRename.ts';
import { changesPage } from '../features/object/changes/changes.ts';
import { childPage } from '../features/object/child.ts';
import { columnsPage } from '../features/list/columnsPage.ts';
import { contactsPage } from '../features/object/about/contacts.ts';
import { deletePage } from '../features/object/deletion/delete.ts';
import { documentsPage } from '../features/list/export/documentsPage.ts';
import { addPage, editPage } from '../features/form/edit.ts';
import { homePage } from '../features/dashboard/home.ts';
import { imagesPage } from '../features/object/about/images.ts';
import { type ImportOptions, importPage } from '../features/import/import.ts';
import { journalPage } from '../features/object/about/journal.ts';
import { listPage } from '../features/list/list.ts';
import { objectPage } from '../features/object/object.ts';
import { optionsPage } from '../features/form/options.ts';
import { ownPage } from '../features/own/own.ts';
import { parkedPages } from '../features/operations/parked.ts';
import { replicaPages } from '../features/operations/replicas.ts';
import { searchPage } from '../features/search/search.ts';
import { saveFilterPage } from '../features/list/saveFilter.ts';
import { tabPage } from '../features/object/tab.ts';
import { factorsPage } from '../features/account/factors.ts';
import { passwordPage, profilePage } from '../features/account/profile.ts';
import { keyboardPage } from '../features/account/keyboard.ts';
import { bookmarksPage, notificationsPage, subscriptionsPage } from '../features/account/userLists.ts';
import { preferencesPage } from '../features/account/preferencesPage.ts';
import { sessionsPage } from '../features/account/sessions.ts';
import { tokensPage } from '../features/account/tokens.ts';
import type { PageOptions } from '../context/pageOptions.ts';
import type { Address } from '../schema/addresses.ts';
import { noSuchPage } from '../client/problems.ts';
import { reauthenticationBefore } from '../features/account/reauthentication.ts';
import type { ModelPage, Page, PageRequest } from '../context/pageRequest.ts';
import type { Answer } from '../ui/page/answer.ts';

export type PagesOptions = PageOptions & ImportOptions;

export interface Pages {
  /** Whether the user may send this form at all; checked before it is read. @throws HttpError 403 */
  admits(visit: PageRequest, method: string): Promise<void>;
  /** @throws HttpError 404, 405 */
  answer(visit: PageRequest, method: string): Promise<Answer>;
}

/** The pages of every model, by the path after the model's address; `*` stands for an id. */
const ofModels: Readonly<Record<string, (options: PagesOptions) => ModelPage>> = {
  '': listPage,
  add: addPage,
  edit: bulkEditPage,
  rename: bulkRenamePage,
  delete: bulkDeletePage,
  columns: columnsPage,
  'save-filter': saveFilterPage,
  documents: documentsPage,
  import: importPage,
  options: optionsPage,
  '*': objectPage,
  '*/edit': editPage,
  '*/delete': deletePage,
  '*/changelog': changesPage,
  '*/journal': journalPage,
  '*/contacts': contactsPage,
  '*/images': imagesPage,
};

/** Pages that do not belong to a model. */
const ofNoModel: Readonly<Record<string, (options: PagesOptions) => Page>> = {
  '/': homePage,
  '/search/': searchPage,
  '/user/': profilePage,
  '/user/profile/': profilePage,
  '/user/password/': passwordPage,
  '/user/sessions/': sessionsPage,
  '/user/factors/': factorsPage,
  '/user/keyboard/': keyboardPage,
  '/user/api-tokens/': tokensPage,
  '/user/preferences/': preferencesPage,
  '/user/bookmarks/': bookmarksPage,
  '/user/notifications/': notificationsPage,
  '/user/subscriptions/': subscriptionsPage,
};

/** Finds the page for an address. */
export function pagesOf(options: PagesOptions): Pages {
  const { panels, actions, listActions, pages } = options.parts;
  const api = apiPage(options);
  const others = pathTable<Page>([
    ...Object.entries(ofNoModel).map(([path, make]) => [path, make(options)] as const),
    ...Object.entries({ ...parkedPages, ...replicaPages }),
    ...pages.map((page) => [page.path, ownPage(options, page)] as const),
  ]);
  // Found by the path after the model's address; pages of a single model by the model's name and that path.
  const ofAll = pathTable(Object.entries(ofModels).map(([rest, make]) => [rest, make(options)] as const));
  const ofOne = pathTable<ModelPage>([
    ...listActions.map((one) => [`${one.on}/${one.name}`, listActionPage(options, one)] as const),
    ...actions.map((one) => [`${one.on}/*/${one.name}`, actionPage(options, one)] as const),
    ...panels
      .filter(({ as }) => as === 'tab')
      .map((panel) => [`${panel.on}/*/${panel.name}`, tabPage(options, panel)] as const),
  ]);
  const pageOf = ({ model, rest }: Address): FoundPath<ModelPage> | undefined => {
    const both = [ofAll.find(rest.join('/')), ofOne.find([model.name, ...rest].join('/'))];
    const found = both.find((one) => one?.parts.every(isId));
    if (found) return found;
    const [id = '', name, ...more] = rest;
    const child = name === undefined || more.length || !isId(id) ? undefined : childPage(options, model, name);
    return child && { target: child, parts: [id] };
  };
  return {
    async admits(visit, method) {
      if (method !== 'POST') return;
      const address = options.addresses.find(visit.path);
      if (address) await pageOf(address)?.target.admits?.(visit, address.model);
    },
    async answer(visit, method) {
      const { path } = visit;
      const page = path.startsWith('/api/') ? api : others.find(path)?.target;
      if (page) {
        refuseOther(page, method);
        return page.answer(visit);
      }
      const address = options.addresses.find(path);
      const found = address && pageOf(address);
      if (!found) throw noSuchPage();
      const { model, rest } = address;
      refuseOther(found.target, method);
      const before = method === 'GET' ? reauthenticationBefore(visit, model, rest) : undefined;
      return before ?? found.target.answer(visit, model, Number(found.parts[0] ?? 0));
    },
  };
}

const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

function refuseOther({ methods }: Pick<Page, 'methods'>, method: string): void {
  if (!(methods as readonly string[]).includes(method))
    throw new HttpError(405, { detail: `Method "${method}" not allowed.` }, { Allow: methods.join(', ') });
}
