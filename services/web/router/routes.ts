import { Refusal } from '@cadastre/body';
import type { Parts } from '@cadastre/pages';
import { serveAssets } from '@cadastre/pages/assets';
import type { Log } from '@cadastre/service/log';
import type { Bodies } from '@cadastre/service/bodies';
import type { Config } from '@cadastre/service/config';
import { enterStage } from '@cadastre/service/current-work';
import { asHttpError, HttpError } from '@cadastre/service/errors';
import type { Renderer } from '@cadastre/templates';
import { assetsPath } from '@cadastre/service/web';
import type { Express, Request, Response } from 'express';
import { zoneIn } from '../ui/time/formTimes.ts';
import { readSubmitted } from '../context/submitted.ts';
import type { Reader } from '../features/import/reading/reader.ts';
import { addressesOf } from '../schema/addresses.ts';
import { justDeleted } from '../features/object/deletion/deleted.ts';
import { type Pages, pagesOf } from './pages.ts';
import { type IdentifyOptions, identifying } from './identify.ts';
import { sending } from './send.ts';
import { problemsOf } from '../client/problems.ts';
import { reauthenticationPage } from '../features/account/reauthentication.ts';
import { ReauthenticationRequired } from '../client/reauthenticationRequired.ts';
import { assets } from '../ui/page/render.ts';
import { speaking } from '../ui/texts/speaking.ts';
import { localeFor } from '../ui/texts/texts.ts';
import { showingTimes } from '../ui/time/times.ts';
import type { PageRequest } from '../context/pageRequest.ts';
import type { Answer } from '../ui/page/answer.ts';

export interface WebOptions extends IdentifyOptions {
  log: Pick<Log, 'error'>;
  config: IdentifyOptions['config'] & Pick<Config, 'maxBulkItems' | 'maxBodyBytes'>;
  parts: Required<Parts>;
  renderer: Renderer;
  bodies: Bodies;
  imports: Pick<Reader, 'read' | 'files'>;
}

export function webRoutes(options: WebOptions): (app: Express) => void {
  const { log, config, catalogue, bodies } = options;
  const identify = identifying(options);
  const send = sending(options);
  const pages: Pages = pagesOf({
    ...options,
    addresses: addressesOf(catalogue),
    bulk: { items: config.maxBulkItems, bytes: config.maxBodyBytes },
  });

  /** A request for a page, stage by stage. */
  async function serve(request: Request, response: Response): Promise<void> {
    const visit = await identify(request, response);
    response.locals['route'] = '/pages';
    const refusal = await receiveForm(visit, request, response);
    const locale = localeFor(visit.language, request.headers['accept-language']);
    await speakingTo(visit, locale, async () => {
      const deleted = await justDeleted(visit);
      const answer = await orRefused(visit, request, () => answerOf(visit, refusal, request, response));
      await send(visit, guarded(visit, answer, request), { locale, deleted }, response);
    });
  }

  /**
   * Reads the form that was sent, if there is one, and returns why it is refused. A form that may not be sent is not
   * read.
   */
  async function receiveForm(visit: PageRequest, request: Request, response: Response): Promise<unknown> {
    try {
      await pages.admits(visit, methodOf(request));
      enterStage('reading a form', response);
      visit.submitted = await readSubmitted(bodies.of(request, response, String(visit.user.userId)));
      return undefined;
    } catch (error) {
      return asHttpError(error) ?? error;
    }
  }

  /** The answer of the page. @throws the refusal of the form or of the page */
  function answerOf(visit: PageRequest, refusal: unknown, request: Request, response: Response): Promise<Answer> {
    if (refusal !== undefined) throw refusal;
    enterStage('making a page', response);
    return pages.answer(visit, methodOf(request));
  }

  /** The result of the work; an error becomes a page, too. */
  async function orRefused(visit: PageRequest, request: Request, work: () => Promise<Answer>): Promise<Answer> {
    const { headers, method, originalUrl } = request;
    try {
      return await work();
    } catch (error) {
      if (error instanceof ReauthenticationRequired) return reauthenticationPage(visit);
      if (error instanceof HttpError || error instanceof Refusal) return refused(visit, error);
      const id = String(headers['x-request-id']);
      log.error({ err: error, request_id: id, method, url: originalUrl }, 'request failed');
      return refused(visit, new HttpError(500, { detail: visit.texts('unforeseen', { id }) }));
    }
  }

  /** A page that grows may fail after its beginning has been sent. */
  function guarded(visit: PageRequest, answer: Answer, request: Request): Answer {
    if (!('underway' in answer)) return answer;
    const { last, ...rest } = answer.underway;
    return { underway: { ...rest, last: orRefused(visit, request, () => last) } };
  }

  return (app) => {
    serveAssets(app, assets.values());
    app.use(assetsPath, (_request, response) => {
      response.status(404).end();
    });
    app.use((request, response, next) => {
      serve(request, response).catch(next);
    });
  };
}

const methodOf = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method);

/** Does the work in the visitor's language and time zone; for a submitted form, in the zone that the form names. */
function speakingTo(visit: PageRequest, locale: string, work: () => Promise<void>): Promise<void> {
  const zone = zoneIn(visit.submitted.fields) ?? visit.preferences.zone;
  return speaking(visit.language, locale, () => showingTimes({ locale, zone }, work));
}

/** A page that explains why a request failed. */
function refused({ texts }: PageRequest, error: HttpError | Refusal): Answer {
  return {
    view: 'refused',
    status: error.status,
    headers: error.headers,
    title: texts(error.status === 403 ? 'notPermitted' : error.status === 404 ? 'notFound' : 'failed'),
    data: { status: error.status, problems: problemsOf(error) },
  };
}
