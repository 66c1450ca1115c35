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
  /** By their field; of several in one field the last. */
  files: ReadonlyMap<string, { name: string; type: string; bytes: Buffer }>;
  /** All files, each with the way to it in a folder that was chosen. */
  uploads: readonly { field: string; name: string; type: string; bytes: Buffer }[];
}

/** Somebody who has come to a page, and what they have brought. */
export interface PageRequest {
  user: UserIdentity;
  api: RequestApi;
  catalogue: Catalogue;
  /** Path of the page, with slashes at both ends. */
  path: string;
  query: URLSearchParams;
  submitted: SubmittedForm;
  /** What forms of the page have to bring along. */
  csrfToken: string;
  /** Whether a script asks, that wants no more than a part of the page. */
  partial: boolean;
  texts: Texts;
  language: Language;
  preferences: Preferences;
  /** All that is kept for the user. */
  config: Config;
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
  /** How the client addresses this installation: `https://host`. */
  base: string;
  /** What the gateway itself has answered, where that is to be shown. */
  answered?: Plain | undefined;
  /** Whether somebody may ever do this to objects of a type; what of it may be done to which object, the API says. */
  may(action: string, type: string): Promise<boolean>;
}

export interface Page {
  methods: readonly ('GET' | 'POST')[];
  answer(request: PageRequest): Promise<Answer>;
}

/** A page of a model's, generic: the same for all models. */
export interface ModelPage {
  methods: readonly ('GET' | 'POST')[];
  /** Called before a form is read, as reading is expensive. @throws HttpError 403 for a user who may not send it at all */
  admits?(request: PageRequest, model: Model): Promise<void>;
  /** `id` is that of the object that the page is about, if it is about one. */
  answer(request: PageRequest, model: Model, id: number): Promise<Answer>;
}

export type { Shown } from '@cadastre/pages';
