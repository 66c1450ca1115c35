import { isUrlencoded, Refusal } from '@cadastre/body';
import { refusalText } from '@cadastre/pages';
import { serveAssets } from '@cadastre/pages/assets';
import { asHttpError, HttpError } from '@cadastre/service/errors';
import type { Express, Request, Response } from 'express';
import { securityHeaders } from '@cadastre/pages/security-headers';
import { enrolmentPage, isRead } from '../admit/admission.ts';
import { assets } from './frame/assets.ts';
import { formOf } from '../web/form.ts';
import { pendingFormOf, sentFromHere } from '../web/pending-form.ts';
import { type Login, login } from './login/login.ts';
import type { PagesOptions } from './frame/options.ts';
import { ownPath } from './frame/own-path.ts';
import type { Answer } from './frame/page.ts';
import { render } from './frame/render.ts';
import { say, spokenTo } from './frame/texts/say.ts';

/** The pages of the gateway itself: login and logout, and refusals. */
export interface Pages {
  covers(path: string): boolean;
  answer(path: string, req: Request, res: Response): Promise<void>;
  assets(app: Express): void;
  /** The result, or undefined when it was refused and the visitor has been answered. */
  orRefused<T>(res: Response, find: () => Promise<T>): Promise<T | undefined>;
  /** Answers a form of an ended session: asks for a login, and keeps what was typed. False where it cannot. */
  keep(req: Request, res: Response): Promise<boolean>;
  /** Leads to where a second factor is set up; a form of ours goes on after that. */
  enrol(req: Request, res: Response, where: string, ours: boolean): Promise<void>;
  /** Answers with the pending form, if there is one. */
  resume(req: Request, res: Response, session: string): Promise<boolean>;
  /** Answers a form of an earlier session with the same form of the present one. */
  repeat(req: Request, res: Response, session: string): Promise<void>;
}

const headers = {
  ...securityHeaders,
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Accept-Language',
};

export function pages(options: PagesOptions): Pages {
  const loginPages: Login = login(options);

  function send(res: Response, answer: Answer): void {
    res.set(headers);
    if ('to' in answer) return void res.redirect(303, answer.to);
    if ('json' in answer) return void res.status(answer.status).json(answer.json);
    res
      .status(answer.status ?? 200)
      .type('html')
      .send(render(answer.view, { title: answer.title, ...answer.data }));
  }

  /** Runs with the texts in the language of the browser. */
  const spoken = <T>(req: Request, work: () => T): T => spokenTo(req.headers['accept-language'], work);

  async function orRefused<T>(res: Response, find: () => Promise<T>): Promise<T | undefined> {
    try {
      return await find();
    } catch (thrown) {
      const error = thrown instanceof Refusal ? asHttpError(thrown) : thrown;
      if (!(error instanceof HttpError)) throw thrown;
      res.set(error.headers);
      spoken(res.req, () => send(res, refused(error)));
      return undefined;
    }
  }

  return {
    orRefused,
    async keep(req, res) {
      if (!sentFromHere(req)) return false;
      const kept = await pendingFormOf(req, options.formMaxBytes, options.form);
      if (kept) await spoken(req, async () => send(res, await loginPages.keep(req, res, kept)));
      return kept !== undefined;
    },
    async enrol(req, res, where, ours) {
      const done = await orRefused(res, async () => {
        const kept = ours ? await pendingFormOf(req, options.formMaxBytes, options.form) : undefined;
        if (kept) await loginPages.setAside(req, res, kept);
        return true;
      });
      if (done) send(res, { to: where });
    },
    async resume(req, res, session) {
      // Only for a page that a user opens: not the page for setting up a factor, nor a part that a script fetches.
      if (req.method !== 'GET' || req.headers['x-partial'] !== undefined || req.path === enrolmentPage) return false;
      const answer = await spoken(req, () => loginPages.resume(req, res, session));
      if (answer) spoken(req, () => send(res, answer));
      return answer !== null;
    },
    async repeat(req, res, session) {
      const kept = await pendingFormOf(req, options.formMaxBytes, options.form);
      spoken(req, () => send(res, kept ? loginPages.goOn(kept, session) : { to: ownPath(req.url) }));
    },
    covers: (path) => loginPages.covers(path),
    assets: (app) => serveAssets(app, assets.values()),
    async answer(path, req, res) {
      res.locals.route = path;
      await spoken(req, async () => {
        const answer = await orRefused(res, async () =>
          loginPages.answer(path, req, res, await fieldsOf(req, options)),
        );
        if (answer) send(res, answer);
      });
    },
  };
}

const refused = (error: HttpError): Answer => ({
  view: 'refused',
  status: error.status,
  data: { problem: refusalText(error) ?? say('The request failed with status {status}.', { status: error.status }) },
  title: error.status === 403 ? say('Not permitted') : say('This did not work'),
});

/** The fields of a form. @throws Refusal 400, 413, 415 */
async function fieldsOf(req: Request, { formMaxBytes, form }: PagesOptions): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  if (isRead(req.method)) return fields;
  if (!isUrlencoded(req.headers['content-type'])) throw new HttpError(415, { detail: 'A form is expected.' });
  for (const [name, value] of (await formOf(req, formMaxBytes, form))?.fields ?? []) fields.append(name, value);
  return fields;
}
