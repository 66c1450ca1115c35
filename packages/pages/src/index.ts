export type { Answer, Api, AskOptions, Listed, Shown } from './api/api.ts';
export { ago, agoText } from './language/ago.ts';
export { bar } from './markup/bar.ts';
export { escaped, flat, html, type Html, nothing, type Part } from './markup/html.ts';
export { acceptedLanguages, inLanguage, languageCode, numberText, speaker, type Speaker } from './language/language.ts';
export { listed, listedById, MOST, search, type Wanted } from './api/listed.ts';
export type {
  Action,
  Banner,
  Cell,
  FilledTimes,
  HomeWidget,
  ListAction,
  Outcome,
  OwnPage,
  PageView,
  Panel,
  PanelView,
  Parts,
  Selected,
} from './parts/parts.ts';
export { refusalText } from './api/refusal.ts';
