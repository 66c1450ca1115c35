export type { Answer, Api, AskOptions, Listed, Shown } from './api/api.ts';
export { ago } from './language/ago.ts';
export { bar } from './markup/bar.ts';
export { escaped, flat, html, type Html, nothing } from './markup/html.ts';
export { acceptedLanguages, filled, inLanguage, languageCode, numberText, speaker } from './language/language.ts';
export { listed, listedById, MOST, search, type Wanted } from './api/listed.ts';
export type {
  Action,
  Banner,
  Cell,
  HomeWidget,
  ListAction,
  OwnPage,
  PageView,
  Panel,
  PanelView,
  Parts,
} from './parts/parts.ts';
export { refusalText } from './api/refusal.ts';
