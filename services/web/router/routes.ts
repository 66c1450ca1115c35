import { inflateRawSync } from 'node:zlib';
import { Refusal } from '@cadastre/body';
import type { Catalogue } from '@cadastre/model';
import type { Parts } from '@cadastre/pages';
import { serveAssets } from '@cadastre/pages/assets';
import { pump } from '@cadastre/rest/http/message/stream';
import { pathTable } from '@cadastre/rest/http/paths';
import type { Log } from '@cadastre/service/log';
import { checkPath, collectionsOf, prefixOf } from '@cadastre/service/collections';
import type { Bodies } from '@cadastre/service/bodies';
import type { Config } from '@cadastre/service/config';
import { enterStage } from '@cadastre/service/current-work';
import { asHttpError, HttpError } from '@cadastre/service/errors';
import { abandonedEvent } from '@cadastre/service/http';
import { createIdentityVerifier, identityHeader, type UserIdentity } from '@cadastre/service/identity';
import { identityKeys } from '@cadastre/service/key-pairs';
import type { PermissionSet } from '@cadastre/service/models';
import type { Renderer } from '@cadastre/templates';
import type { PeerFetch } from '@cadastre/service/peer-http';
import { answerHeader, assetsPath, failuresHeader, csrfHeader } from '@cadastre/service/web';
import { pendingHeader, writtenHeader } from '@cadastre/service/write-positions';
import type { Express, Request, Response } from 'express';
import { apiOf, type Plain } from '../client/api.ts';
import { moment } from '../schema/valueHtml.ts';
import { zoneIn } from '../ui/time/formTimes.ts';
import { readSubmitted, nothingSubmitted } from '../context/submitted.ts';
import type { Reader } from '../features/import/reading/reader.ts';
import { addressesOf } from '../schema/addresses.ts';
import { justDeleted } from '../features/object/deletion/deleted.ts';
import { menu } from '../shell/navigation.ts';
import { type Pages, pagesOf } from './pages.ts';
import { problemsOf } from '../client/problems.ts';
import { reauthenticationPage } from '../features/account/reauthentication.ts';
import { ReauthenticationRequired } from '../client/reauthenticationRequired.ts';
import { assets, render } from '../ui/page/render.ts';
import { cachedPage } from '../ui/page/pageCache.ts';
import { accountLinks, schemes } from '../shell/accountLinks.ts';
import { userConfigs, NOTHING_KEPT } from '../client/userConfig.ts';
import { preferencesIn } from '../context/preferences.ts';
import { growing } from '../ui/page/growing.ts';
import { speaking } from '../ui/texts/speaking.ts';
import { languageFor, localeFor } from '../ui/texts/texts.ts';
import { showingTimes } from '../ui/time/times.ts';
import type { PageRequest } from '../context/pageRequest.ts';
import type { Answer } from '../ui/page/answer.ts';

export interface WebOptions {
  log: Pick<Log, 'error'>;
  config: Pick<Config, 'identityPublicKeys' | 'proxyTimeoutMs' | 'maxBulkItems' | 'maxBodyBytes'>;
  catalogue: Catalogue;
  fetch: PeerFetch;
  permissionsOf(userId: number): Promise<PermissionSet>;
  parts: Required<Parts>;
  renderer: Renderer;
  bodies: Bodies;
  imports: Pick<Reader, 'read' | 'files'>;
}

/** Nothing from elsewhere and nothing inline; nobody may put these pages into a frame. */
const secure = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
};

/** Somebody who has not logged in, and reads what everybody may. */
const nobody: UserIdentity = {
  anonymous: false,
  userId: 0,
  username: '',
  superuser: false,
  permissionsVersion: 0,
  tokenId: 0,
  writeEnabled: false,
};

/** What the gateway says that it answers itself. */
function answeredBefore(header: string | string[] | undefined): Plain | undefined {
  if (typeof header !== 'string') return undefined;
  const { status, body } = JSON.parse(inflateRawSync(Buffer.from(header, 'base64')).toString('utf8'));
  return { status, headers: new Headers({ 'content-type': 'application/json' }), text: JSON.stringify(body ?? '') };
}

/** What had failed before the login that a page follows; the gateway says it once. */
function failuresBefore(header: string | string[] | undefined) {
  if (typeof header !== 'string') return undefined;
  const { count, last, address } = JSON.parse(header) as { count: number; last: string; address: string };
  return { count, moment: moment(last), address };
}

export function webRoutes({
  log,
  config,
  catalogue,
  fetch,
  permissionsOf,
  parts,
  renderer,
  bodies,
  imports,
}: WebOptions): (app: Express) => void {
  const verify = createIdentityVerifier(identityKeys(config));
  const addresses = addressesOf(catalogue);
  const pages: Pages = pagesOf({
    catalogue,
    addresses,
    parts,
    renderer,
    bulk: { items: config.maxBulkItems, bytes: config.maxBodyBytes },
    imports,
  });
  const services = pathTable([
    [checkPath, 'auth'],
    ...collectionsOf(catalogue).map((one) => [prefixOf(one), one.service] as const),
  ]);
  const configs = userConfigs();
  const apiFor = apiOf({
    serviceOf: (path) => services.findPrefix(path)?.target,
    fetch,
    timeoutMs: config.proxyTimeoutMs,
    follows: (owner, service) => owner !== service || catalogue.keepsAnyObject(service),
  });

  async function visitOf(request: Request, response: Response): Promise<PageRequest> {
    const { headers } = request;
    const token = headers[identityHeader];
    const user = typeof token === 'string' ? await verify(token) : undefined;
    const url = new URL(request.originalUrl, 'http://local');
    if (!user || (user.anonymous && !url.pathname.startsWith('/api/')))
      throw new HttpError(403, { detail: 'Please log in.' });
    const api = apiFor({
      identity: token as string,
      clientIp: String(headers['x-cadastre-client-ip'] ?? ''),
      base: String(headers['x-cadastre-base'] ?? ''),
      requestId: String(headers['x-request-id']),
      pendingWrites: headers[pendingHeader] as string | undefined,
    });
    const config = user.anonymous ? NOTHING_KEPT : await configs.of(user, api);
    const preferences = preferencesIn(config);
    const language = languageFor(preferences.language, headers['accept-language']);
    let grants: Promise<PermissionSet> | undefined;
    let gone: AbortSignal | undefined;
    return {
      user: user.anonymous ? nobody : user,
      api,
      base: String(headers['x-cadastre-base'] ?? ''),
      answered: answeredBefore(headers[answerHeader]),
      catalogue,
      path: url.pathname,
      query: url.searchParams,
      submitted: nothingSubmitted(),
      csrfToken: String(headers[csrfHeader] ?? ''),
      partial: headers['x-partial'] === '1',
      texts: language.texts,
      language,
      preferences,
      config,
      get gone() {
        return (gone ??= goneFrom(response));
      },
      async may(action, type) {
        if (user.anonymous) return false;
        if (user.superuser) return true;
        grants ??= permissionsOf(user.userId);
        return (await grants).permissions.some(
          ({ object_types, actions }) => object_types.includes(type) && actions.includes(action),
        );
      },
    };
  }

  /** What a visit is answered; what fails is a page, too. */
  async function answering(visit: PageRequest, request: Request, work: () => Promise<Answer>): Promise<Answer> {
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

  async function serve(request: Request, response: Response): Promise<void> {
    const visit = await visitOf(request, response);
    response.locals['route'] = '/pages';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const { language, preferences } = visit;
    const locale = localeFor(language, request.headers['accept-language']);
    let refusal: unknown;
    try {
      // Who may not send a form has it read by nobody.
      await pages.admits(visit, method);
      enterStage('reading a form', response);
      visit.submitted = await readSubmitted(bodies.of(request, response, String(visit.user.userId)));
    } catch (error) {
      refusal = asHttpError(error) ?? error;
    }
    // What was filled in is meant in the zone that the form named.
    const zone = zoneIn(visit.submitted.fields) ?? preferences.zone;
    const work = async (): Promise<Answer> => {
      if (refusal !== undefined) throw refusal;
      enterStage('making a page', response);
      return pages.answer(visit, method);
    };
    await speaking(language, locale, () =>
      showingTimes({ locale, zone }, () => answerWith(visit, locale, request, response, work)),
    );
  }

  async function answerWith(
    visit: PageRequest,
    locale: string,
    request: Request,
    response: Response,
    work: () => Promise<Answer>,
  ): Promise<void> {
    const deleted = await justDeleted(visit);
    const answer = await answering(visit, request, work);
    const written = visit.api.written();
    if (written) response.setHeader(writtenHeader, written);
    response.set(secure).setHeader('Vary', 'Cookie, Accept, Accept-Language');
    if ('to' in answer) return response.redirect(303, answer.to);
    if ('stream' in answer) {
      response.set(answer.headers).type(answer.type);
      const { stream } = answer;
      return pump(response, () => stream);
    }
    if ('body' in answer) {
      response
        .status(answer.status ?? 200)
        .set(answer.headers ?? {})
        .type(answer.type)
        .send(answer.body);
      return;
    }
    enterStage('drawing a page', response);
    const failures = failuresBefore(request.headers[failuresHeader]);
    const everywhere = { ...commonly(visit, locale), deleted, failures };
    if ('underway' in answer) {
      const { last, ...rest } = answer.underway;
      const underway = { ...rest, last: answering(visit, request, () => last) };
      // Proxies that collect what they pass on would show nothing of it.
      response.set('X-Accel-Buffering', 'no').type('html');
      return pump(response, () =>
        growing(underway, ({ view, title, data }, { partial, here }) =>
          render(view, { ...(partial ? commonly(visit, locale) : everywhere), title, here, ...data, partial }),
        ),
      );
    }
    const data = { ...everywhere, title: answer.title, ...answer.data };
    const page = answer.again ? cachedPage(answer.view, data, render) : render(answer.view, data);
    response
      .status(answer.status ?? 200)
      .set(answer.headers ?? {})
      .type('html')
      .send(page);
  }

  /** What all pages show. */
  const commonly = (visit: PageRequest, spoken: string) => {
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
      // What `within` and dates go by, besides the texts.
      spoken: [spoken, preferences.zone],
    };
  };

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

/** Aborted when nobody waits for an answer any more. */
function goneFrom(response: Response): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  if (response.destroyed) leave();
  else response.once('close', leave).once(abandonedEvent, leave);
  return leaving.signal;
}

/** Why something did not work, as a page. */
function refused({ texts }: PageRequest, error: HttpError | Refusal): Answer {
  return {
    view: 'refused',
    status: error.status,
    headers: error.headers,
    title: texts(error.status === 403 ? 'notPermitted' : error.status === 404 ? 'notFound' : 'failed'),
    data: { status: error.status, problems: problemsOf(error) },
  };
}
