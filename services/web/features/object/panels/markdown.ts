import { html, type Html, nothing } from '@cadastre/pages';
import MarkdownIt from 'markdown-it';
import nunjucks from 'nunjucks';

/** HTML inside Markdown is shown as text, so the result has only elements that Markdown itself generates. */
const reader = new MarkdownIt({ html: false, linkify: true, breaks: true });

/** The addresses to which links in users' texts may lead. */
const LEADS = /^(https?:|mailto:|[/#?](?!\/))/i;
reader.validateLink = (url) => LEADS.test(url.trim());

/**
 * Pictures from other sites would reveal to them who reads the page, so they become links; the page's policy blocks
 * them anyway.
 */
const OURS = /^\/(?!\/)/;
const { rules } = reader.renderer;
const picture = rules.image!;
rules.image = (tokens, index, options, env, self) => {
  const token = tokens[index]!;
  const source = String(token.attrGet('src') ?? '');
  if (OURS.test(source)) {
    token.attrSet('loading', 'lazy');
    return picture(tokens, index, options, env, self);
  }
  return html`<a href="${source}" rel="noreferrer noopener nofollow">${token.content || source}</a>`.toString();
};

/** Headings rank below those of the page and of the panel. */
const BELOW = 2;

reader.core.ruler.push('fitting', ({ tokens }) => {
  for (const token of tokens) {
    if (/^heading_/.test(token.type)) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + BELOW)}`;
    // Markdown aligns cells by an inline style, which the page's policy does not allow.
    const style = token.attrGet('style');
    if (style) {
      token.attrs = token.attrs!.filter(([name]) => name !== 'style');
      token.attrJoin('class', `to-${/(left|center|right)/.exec(String(style))?.[1] ?? 'left'}`);
    }
    for (const child of token.children ?? [])
      if (child.type === 'link_open') child.attrSet('rel', 'noreferrer noopener nofollow');
  }
});

/** Markdown as HTML that is safe to show, no matter who wrote it. */
export const markdown = (text: string): Html =>
  text.trim() === '' ? nothing : new nunjucks.runtime.SafeString(reader.render(text));
