import { once } from 'node:events';
import { HttpError } from '@cadastre/service/errors';
import type { Express, Request, Response } from 'express';
import { isRead } from '../admission.ts';
import { answerOf } from '../auth-client.ts';
import { arrivalOf } from '../arrival.ts';
import { cookieOf, sessionCookie } from '../credentials.ts';
import { problemsOf } from './api.ts';
import { serveAssets } from './assets.ts';
import { deliveryPages } from './deliveries.ts';
import { keptOf, sentFromHere } from '../web/kept.ts';
import { failuresBefore } from './failures.ts';
import { type Login, login, ownPath } from './login.ts';
import type { PagesOptions } from './options.ts';
import type { Answer, Page, Visit } from './page.ts';
import { parkedPages } from './parked.ts';
import { render } from './render.ts';
import { replayPages } from './replays.ts';
import { webhookPages } from './webhooks.ts';

/** The web pages, for people who have logged in. */
export interface Pages {
  covers(path: string): boolean;
  answer(path: string, req: Request, res: Response): Promise<void>;
  assets(app: Express): void;
  /** What is found, or undefined when it was refused and the visitor has read why. */
  orRefused<T>(res: Response, find: () => Promise<T>): Promise<T | undefined>;
  /** Answers a form of a session that is over: asks for a login, and keeps what was typed. False where it cannot. */
  keep(req: Request, res: Response): Promise<boolean>;
  /** Answers a form of an earlier session with the same form of the present one. */
  repeat(req: Request, res: Response, session: string): Promise<void>;
}

/** Nothing from elsewhere and nothing inline; nobody may put these pages into a frame. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Cookie',
};

export function pages(options: PagesOptions): Pages {
  const { admit, auth, sessions, forms } = options;
  const all: Page[] = [...deliveryPages, ...webhookPages, ...replayPages, ...parkedPages];
  const patterns = all.map((page) => ({ page, pattern: new RegExp(`^${page.path.replaceAll('*', '([\\w-]+)')}$`) }));
  const door: Login = login(options);

  const send = (res: Response, answer: Answer, shown: Record<string, unknown> = {}) => {
    res.set(headers);
    if ('to' in answer) return void res.redirect(303, answer.to);
    res
      .status(answer.status ?? 200)
      .type('html')
      .send(render(answer.view, { title: answer.title, ...shown, ...answer.data }));
  };
  const refused = (error: HttpError): Answer => ({
    view: 'refused',
    status: error.status,
    data: { status: error.status, problems: problemsOf(error) },
    title: error.status === 403 ? 'Not permitted' : error.status === 404 ? 'Not found' : 'This did not work',
  });

  /** Sends what is answered, or why it is not. */
  async function orRefused(
    res: Response,
    answer: () => Promise<Answer>,
    shown: Record<string, unknown> = {},
  ): Promise<void> {
    try {
      send(res, await answer(), shown);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      res.set(error.headers);
      send(res, refused(error), shown);
    }
  }

  async function visited(page: Page, parts: readonly string[], req: Request, res: Response): Promise<void> {
    const cookie = cookieOf(req.headers.cookie, sessionCookie(arrivalOf(req).secure));
    const url = new URL(req.url, 'http://local');
    const form = await readForm(req, options.formMaxBytes);
    const session = cookie === undefined ? null : await sessions.open(cookie);
    const fromHere =
      page.method === 'GET' || (session !== null && forms.marked(form.get('proof') ?? '', 'session', session.id));
    const admitted = await admit(req, fromHere ? 'form' : 'token');
    const known = 'identity' in admitted && !admitted.identity.anonymous && cookie !== undefined;
    if (!known && page.method === 'GET') return send(res, { to: `/login/?next=${encodeURIComponent(req.url)}` });
    const user = 'identity' in admitted && !admitted.identity.anonymous ? admitted.identity : null;
    const shown = {
      failures: failuresBefore(req, res),
      user,
      here: page.path,
      address: req.url,
      proof: session === null ? '' : forms.mark('session', session.id),
    };
    if ('status' in admitted)
      return send(res, refused(new HttpError(admitted.status, { detail: admitted.detail })), shown);
    if (!known || !user || !fromHere)
      return send(
        res,
        refused(
          new HttpError(403, {
            detail:
              'This form does not come from a page that was opened in this session. Go back, load the page again, and repeat what you did.',
          }),
        ),
        shown,
      );
    let grants: Promise<{ object_types: string[]; actions: string[] }[]> | undefined;
    const visit: Visit = {
      user,
      parts,
      query: url.searchParams,
      form,
      req,
      types: options.types,
      api: options.apiFor(admitted, String(res.getHeader('X-Request-ID'))),
      async may(action, type) {
        if (user.superuser) return true;
        grants ??= answerOf(auth.Permissions({ user_id: user.userId }), 'Permissions').then(
          ({ permissions }) => permissions,
        );
        return (await grants).some(
          ({ object_types, actions }) => object_types.includes(type) && actions.includes(action),
        );
      },
    };
    await orRefused(res, () => page.answer(visit), shown);
  }

  return {
    async orRefused(res, find) {
      try {
        return await find();
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        res.set(error.headers);
        send(res, refused(error));
        return undefined;
      }
    },
    async keep(req, res) {
      if (!sentFromHere(req)) return false;
      const kept = await keptOf(req, options.formMaxBytes);
      if (kept) send(res, door.keep(req, res, kept));
      return kept !== undefined;
    },
    async repeat(req, res, session) {
      const kept = await keptOf(req, options.formMaxBytes);
      send(res, kept ? door.goOn(kept, session) : { to: ownPath(req.url) });
    },
    covers: (path) => door.covers(path) || patterns.some(({ pattern }) => pattern.test(path)),
    assets: serveAssets,
    async answer(path, req, res) {
      const method = req.method === 'HEAD' ? 'GET' : req.method;
      if (door.covers(path)) {
        res.locals.route = path;
        return orRefused(res, async () => door.answer(path, req, res, await readForm(req, options.formMaxBytes)));
      }
      const here = patterns.filter(({ pattern }) => pattern.test(path));
      const found = here.find(({ page }) => page.method === method);
      res.locals.route = here[0]?.page.path;
      if (!found) {
        res.setHeader('Allow', here.map(({ page }) => page.method).join(', '));
        return send(res, refused(new HttpError(405, { detail: `Method "${req.method}" not allowed.` })));
      }
      await visited(found.page, found.pattern.exec(path)!.slice(1), req, res);
    },
  };
}

/** The fields of a form. @throws HttpError 413, 415 */
async function readForm(req: Request, most: number): Promise<URLSearchParams> {
  if (isRead(req.method)) return new URLSearchParams();
  if (!/^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? ''))
    throw new HttpError(415, { detail: 'A form is expected.' });
  const chunks: Buffer[] = [];
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  });
  await once(req, 'end');
  if (size > most) throw new HttpError(413, { detail: `The form is larger than ${most} bytes.` });
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
