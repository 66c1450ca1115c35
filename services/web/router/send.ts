import type { Catalogue } from '@cadastre/model';
import type { Parts } from '@cadastre/pages';
import { securityHeaders } from '@cadastre/pages/security-headers';
import { pump } from '@cadastre/rest/http/message/stream';
import { enterStage } from '@cadastre/service/current-work';
import { failuresHeader } from '@cadastre/service/web';
import { writtenHeader } from '@cadastre/service/write-positions';
import type { Response } from 'express';
import type { PageRequest } from '../context/pageRequest.ts';
import type { justDeleted } from '../features/object/deletion/deleted.ts';
import { moment } from '../schema/valueHtml.ts';
import { accountLinks, schemes } from '../shell/accountLinks.ts';
import { menu } from '../shell/navigation.ts';
import type { Answer, Shows, Underway } from '../ui/page/answer.ts';
import { growing } from '../ui/page/growing.ts';
import { cachedPage } from '../ui/page/pageCache.ts';
import { render } from '../ui/page/render.ts';

/** The failed logins before the one that led to this page; the gateway reports them once. */
function failuresBefore(header: string | string[] | undefined) {
  if (typeof header !== 'string') return undefined;
  const { count, last, address } = JSON.parse(header) as { count: number; last: string; address: string };
  return { count, moment: moment(last), address };
}

/** What a page shows besides its own content. */
export interface Around {
  /** The locale of dates and numbers. */
  locale: string;
  /** What the previous page has deleted. */
  deleted: Awaited<ReturnType<typeof justDeleted>>;
}

/** Sends the answer of a page: a redirect, a stream, a body, a growing page, or a page. */
export function sending({ catalogue, parts }: { catalogue: Catalogue; parts: Pick<Required<Parts>, 'pages'> }) {
  return async function send(visit: PageRequest, answer: Answer, around: Around, response: Response): Promise<void> {
    sendHeaders(visit, response);
    if ('to' in answer) return response.redirect(303, answer.to);
    if ('stream' in answer) return sendStream(answer, response);
    if ('body' in answer) return sendBody(answer, response);
    enterStage('drawing a page', response);
    if ('underway' in answer) return sendGrowing(visit, answer.underway, around, response);
    sendPage(visit, answer, around, response);
  };

  function sendGrowing(visit: PageRequest, underway: Underway, around: Around, response: Response): Promise<void> {
    const whole = everything(visit, around, response);
    // A proxy that buffers the answer would show no progress.
    response.set('X-Accel-Buffering', 'no').type('html');
    return pump(response, () =>
      growing(underway, ({ view, title, data }, { partial, here }) =>
        render(view, { ...(partial ? common(visit, around) : whole), title, here, ...data, partial }),
      ),
    );
  }

  function sendPage(visit: PageRequest, answer: Shows, around: Around, response: Response): void {
    const data = { ...everything(visit, around, response), title: answer.title, ...answer.data };
    const page = answer.again ? cachedPage(answer.view, data, render) : render(answer.view, data);
    response
      .status(answer.status ?? 200)
      .set(answer.headers ?? {})
      .type('html')
      .send(page);
  }

  function everything(visit: PageRequest, around: Around, { req }: Response) {
    return { ...common(visit, around), deleted: around.deleted, failures: failuresBefore(req.headers[failuresHeader]) };
  }

  /** What all pages show. */
  function common(visit: PageRequest, { locale }: Around) {
    const { user, csrfToken, path, partial, texts, preferences, language } = visit;
    return {
      user,
      csrfToken,
      path,
      partial,
      t: texts,
      language: language.code,
      scheme: preferences.scheme,
      hotkeys: preferences.keys,
      schemes: schemes(preferences.scheme, texts),
      accountLinks: accountLinks(path, texts),
      menu: partial ? undefined : menu(catalogue, path, parts.pages, user.superuser),
      // What `within` and dates depend on, besides the texts.
      spoken: [locale, preferences.zone],
    };
  }
}

/** The write positions, for which the gateway waits with the next request, and what browsers may do with the answer. */
function sendHeaders({ api }: PageRequest, response: Response): void {
  const written = api.written();
  if (written) response.setHeader(writtenHeader, written);
  response.set(securityHeaders).setHeader('Vary', 'Cookie, Accept, Accept-Language');
}

function sendStream(answer: Extract<Answer, { stream: unknown }>, response: Response): Promise<void> {
  response.set(answer.headers).type(answer.type);
  return pump(response, () => answer.stream);
}

function sendBody(answer: Extract<Answer, { body: unknown }>, response: Response): void {
  response
    .status(answer.status ?? 200)
    .set(answer.headers ?? {})
    .type(answer.type)
    .send(answer.body);
}
