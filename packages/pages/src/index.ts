export type { Answer, Api, AskOptions, Listed, Shown } from './api.ts';
export { escaped, html, type Html, nothing } from './html.ts';
export type { OwnPage, PageView, Panel, PanelView, Parts } from './panel.ts';
