export type { Answer, Api, AskOptions, Listed, Shown } from './api.ts';
export { bar } from './bar.ts';
export { escaped, html, type Html, nothing } from './html.ts';
export { listed, listedById, MOST, search, type Wanted } from './listed.ts';
export type { OwnPage, PageView, Panel, PanelView, Parts } from './panel.ts';
export { refusalText } from './refusal.ts';
