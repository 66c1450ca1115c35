export type { Answer, Api, AskOptions, Listed, Shown } from './api.ts';
export { ago, agoText } from './ago.ts';
export { bar } from './bar.ts';
export { escaped, flat, html, type Html, nothing, type Part } from './html.ts';
export { acceptedLanguages, inLanguage, languageCode, numberText, speaker, type Speaker } from './language.ts';
export { listed, listedById, MOST, search, type Wanted } from './listed.ts';
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
} from './panel.ts';
export { refusalText } from './refusal.ts';
