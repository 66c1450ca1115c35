import { hostname } from 'node:os';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Schema } from '@cadastre/model';
import { refusals } from '@cadastre/rest/openapi/refusals';
import { arrayOf, freeForm, record } from '@cadastre/rest/openapi/shapes';
import { productVersion } from '@cadastre/service/version';
import { type Admit, missing, type Admitted } from '../admit/admission.ts';
import { sendJson, sendRefusal } from '../arrive/json.ts';
import type { Route } from '../forward/routes.ts';

const INDEX: Schema = { type: 'object', additionalProperties: { type: 'string', format: 'uri' } };
const STATUS = record({
  hostname: { type: 'string' },
  installed_apps: freeForm,
  'netbox-version': { type: 'string' },
  'netbox-full-version': { type: 'string' },
  plugins: freeForm,
  'rq-workers-running': { type: 'integer' },
});

/** What the gateway answers itself: one path, read only. */
export interface View {
  /** Its name in the answer to OPTIONS. */
  name: string;
  /** What is answered, for the API document. */
  shown: Schema;
  /** The answer for somebody who may ask. */
  answer(admitted: Admitted): unknown;
}

/** The release that clients of the reference system check; `API-Version` is its major and minor number. */
const release = '4.6.8';

export interface ViewsOptions {
  routes: readonly Route[];
  /** How many deliveries of webhooks can be under way at present. */
  workers(): Promise<number>;
}

/**
 * The roots of the API and of each app, made from the table of routes, and the view that describes the installation.
 */
export function views({ routes, workers }: ViewsOptions): Map<string, View> {
  const apps = new Map<string, string[]>();
  for (const { listed } of routes) if (listed) apps.set(listed.app, [...(apps.get(listed.app) ?? []), listed.path]);

  const all = new Map<string, View>();
  const index = (path: string, name: string, children: readonly string[]) => {
    const sorted = [...new Set(children)].sort();
    all.set(path, {
      name,
      shown: INDEX,
      answer: ({ base }) => Object.fromEntries(sorted.map((child) => [child, `${base}${path}${child}/`])),
    });
  };
  index('/api/', 'API Root', [...apps.keys(), 'plugins', 'status']);
  for (const [app, paths] of apps) index(`/api/${app}/`, `${app[0]?.toUpperCase()}${app.slice(1)} Root`, paths);
  index('/api/plugins/', 'Plugins Root', ['installed-plugins']);
  all.set('/api/plugins/installed-plugins/', { name: 'Installed Plugins', shown: arrayOf({}), answer: () => [] });
  all.set('/api/status/', {
    name: 'Status',
    shown: STATUS,
    answer: async () => ({
      hostname: hostname(),
      installed_apps: {},
      'netbox-version': release,
      // Images of the reference system append their own name to the release as well. Its answer has no other member for it.
      'netbox-full-version': `${release}-cadastre-${productVersion}`,
      plugins: {},
      'rq-workers-running': await workers(),
    }),
  });
  return all;
}

/** The views in the API document. */
export const viewsDocument = (all: ReadonlyMap<string, View>) => ({
  paths: Object.fromEntries(
    [...all].map(([path, { name, shown }]) => {
      const words = path.split('/').filter(Boolean).slice(1);
      return [
        path,
        {
          get: {
            operationId: [...words, 'retrieve'].join('_').replaceAll('-', '_'),
            tags: [words[0] ?? 'api'],
            summary: name,
            responses: {
              200: { description: 'The answer.', content: { 'application/json': { schema: shown } } },
              ...refusals(),
            },
          },
        },
      ];
    }),
  ),
});

const allow = 'GET, HEAD, OPTIONS';

/** Answers a request for a view, or refuses it. */
export async function answerView(view: View, admit: Admit, req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('Allow', allow);
  const admitted = await admit(req);
  if ('status' in admitted) return sendRefusal(req, res, admitted);
  if (req.method === 'OPTIONS') {
    return sendJson(req, res, 200, {
      name: view.name,
      description: '',
      renders: ['application/json'],
      parses: ['application/json'],
    });
  }
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return sendRefusal(req, res, { status: 405, detail: `Method "${req.method}" not allowed.` });
  sendJson(req, res, 200, await view.answer(admitted));
}

/**
 * Whether an identity may see the gateway's own views: this takes a user, unless a login is not required.
 */
export const wantsLogin =
  (admit: Admit, loginRequired: boolean): Admit =>
  async (req) => {
    const admitted = await admit(req);
    return loginRequired && 'identity' in admitted && admitted.identity.anonymous ? missing : admitted;
  };
