import { inflateRawSync } from 'node:zlib';
import type { Catalogue } from '@cadastre/model';
import { pathTable } from '@cadastre/rest/http/paths';
import { checkPath, collectionsOf, prefixOf } from '@cadastre/service/collections';
import type { Config } from '@cadastre/service/config';
import { HttpError } from '@cadastre/service/errors';
import { abandonedEvent } from '@cadastre/service/http';
import { createIdentityVerifier, identityHeader, type UserIdentity } from '@cadastre/service/identity';
import { identityKeys } from '@cadastre/service/key-pairs';
import type { PermissionSet } from '@cadastre/service/models';
import type { PeerFetch } from '@cadastre/service/peer-http';
import { answerHeader, csrfHeader } from '@cadastre/service/web';
import { pendingHeader } from '@cadastre/service/write-positions';
import type { Request, Response } from 'express';
import { apiOf, type Plain } from '../client/api.ts';
import { userConfigs, NOTHING_KEPT } from '../client/userConfig.ts';
import type { PageRequest } from '../context/pageRequest.ts';
import { preferencesIn } from '../context/preferences.ts';
import { nothingSubmitted } from '../context/submitted.ts';
import { languageFor } from '../ui/texts/texts.ts';

/** A user who has not logged in, and may read only what is public. */
const nobody: UserIdentity = {
  anonymous: false,
  userId: 0,
  username: '',
  superuser: false,
  permissionsVersion: 0,
  tokenId: 0,
  writeEnabled: false,
};

/** The answer that the gateway has given itself, from its header. */
function answeredBefore(header: string | string[] | undefined): Plain | undefined {
  if (typeof header !== 'string') return undefined;
  const { status, body } = JSON.parse(inflateRawSync(Buffer.from(header, 'base64')).toString('utf8'));
  return { status, headers: new Headers({ 'content-type': 'application/json' }), text: JSON.stringify(body ?? '') };
}

export interface IdentifyOptions {
  config: Pick<Config, 'identityPublicKeys' | 'proxyTimeoutMs'>;
  catalogue: Catalogue;
  fetch: PeerFetch;
  permissionsOf(userId: number): Promise<PermissionSet>;
}

/** Creates the page request: the user, from the identity that the gateway has signed, and the user's preferences. */
export function identifying({ config, catalogue, fetch, permissionsOf }: IdentifyOptions) {
  const verify = createIdentityVerifier(identityKeys(config));
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

  /** @throws HttpError 403 without an identity that the gateway has signed */
  return async function identify(request: Request, response: Response): Promise<PageRequest> {
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
  };
}

/** Aborted when the client no longer waits for the answer. */
function goneFrom(response: Response): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  if (response.destroyed) leave();
  else response.once('close', leave).once(abandonedEvent, leave);
  return leaving.signal;
}
