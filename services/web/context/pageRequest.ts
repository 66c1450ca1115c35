import type { Catalogue, Model } from '@cadastre/model';
import type { UserIdentity } from '@cadastre/service/identity';
import type { Plain, RequestApi } from '../client/api.ts';
import type { Config } from '../client/userConfig.ts';
import type { Preferences } from './preferences.ts';
import type { Language, Texts } from '../ui/texts/texts.ts';
import type { Answer } from '../ui/page/answer.ts';

/** Values of a form that was sent: texts by the name of their field, and files. */
export interface SubmittedForm {
  fields: URLSearchParams;
  /** Files by field; if a field has several, the last one. */
  files: ReadonlyMap<string, { name: string; type: string; bytes: Buffer }>;
  /** All files; if a folder was chosen, each name includes the path within it. */
  uploads: readonly { field: string; name: string; type: string; bytes: Buffer }[];
}

/** A request for a page: the user, the address and the submitted form. */
export interface PageRequest {
  user: UserIdentity;
  api: RequestApi;
  catalogue: Catalogue;
  /** Path of the page, with slashes at both ends. */
  path: string;
  query: URLSearchParams;
  submitted: SubmittedForm;
  /** The token that every form of the page must send. */
  csrfToken: string;
  /** Whether a script made the request and needs only a part of the page. */
  partial: boolean;
  texts: Texts;
  language: Language;
  preferences: Preferences;
  /** The user's whole configuration. */
  config: Config;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal;
  /** How the client addresses this installation: `https://host`. */
  base: string;
  /** The answer of the gateway itself, if the page is to show it. */
  answered?: Plain | undefined;
  /** Whether the user may perform an action on objects of a type at all; the API decides for each object. */
  may(action: string, type: string): Promise<boolean>;
}

export interface Page {
  methods: readonly ('GET' | 'POST')[];
  answer(request: PageRequest): Promise<Answer>;
}

/** A generic page, which all models have. */
export interface ModelPage {
  methods: readonly ('GET' | 'POST')[];
  /** Called before a form is read, as reading is expensive. @throws HttpError 403 for a user who may not send it at all */
  admits?(request: PageRequest, model: Model): Promise<void>;
  /** `id` is the id of the object that the page shows, if it shows one. */
  answer(request: PageRequest, model: Model, id: number): Promise<Answer>;
}

export type { Shown } from '@cadastre/pages';
