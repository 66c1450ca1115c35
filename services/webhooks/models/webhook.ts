import {
  boolean,
  choice,
  column,
  compared,
  customFields,
  description,
  type Feature,
  helped,
  inOrder,
  model,
  owner,
  type Rule,
  sealed,
  sealedTexts,
  secretsKept,
  tags,
  text,
  timestamps,
} from '@cadastre/model';
import { credentialsConcealed, MAX_URL } from './credentials.ts';
import { httpMethods } from './eventRuleChoices.ts';

/** What the service that owns webhooks provides under the name `templates`. */
export interface Templates {
  /** The reason why a text is not a valid template, as a message for the user, or null. */
  check(text: string): string | null;
}

/**
 * What the service that owns webhooks provides under the name `requests`: why the texts of a webhook cannot become a
 * request, or null.
 */
export interface Requests {
  checkUrl(text: string): string | null;
  checkHeaders(text: string): string | null;
  checkContentType(text: string): string | null;
}

/** Templates are checked first; only a text with valid templates can be checked as part of a request. */
export const requestCanBeMade: Rule = (object, { service }) => {
  const { check } = service<Templates>('templates');
  const { checkUrl, checkHeaders, checkContentType } = service<Requests>('requests');
  const of = (name: string): string => String(object[name] ?? '');
  const problems = {
    payload_url: check(of('payload_url')) ?? checkUrl(of('payload_url')),
    additional_headers: check(of('additional_headers')) ?? checkHeaders(of('additional_headers')),
    body_template: check(of('body_template')),
    http_content_type: checkContentType(of('http_content_type')),
  };
  return Object.fromEntries(
    Object.entries(problems).flatMap(([name, problem]) => (problem === null ? [] : [[name, [problem]]])),
  );
};

export const certificateNeedsVerification: Rule = ({ ssl_verification, ca_file_path }) =>
  ssl_verification === false && ca_file_path
    ? { ca_file_path: ['Do not specify a CA certificate file if SSL verification is disabled.'] }
    : undefined;

export const webhookFeatures: Feature[] = [
  'tags',
  'customFields',
  'changeLogging',
  'eventRules',
  'exportTemplates',
  'timestamps',
];

/** Where and how a message about a change is sent. */
export const webhook = model('extras.webhook', {
  path: 'webhooks',
  exempt: 'never',
  confirms: true,
  pages: {
    columns: ['payload_url', 'http_method', 'http_content_type', 'ssl_verification', 'description'],
    groups: {
      Request: ['payload_url', 'http_method', 'http_content_type', 'additional_headers', 'body_template'],
      Secrets: ['secret', 'secrets'],
      TLS: ['ssl_verification', 'ca_file_path'],
    },
  },
  label: 'webhook',
  ordering: ['name'],
  features: webhookFeatures,
  brief: ['name', 'description'],
  search: ['name', 'description', 'payload_url'],
  fields: {
    name: text({ max: 150, unique: true, natural: true }),
    ...description(),
    payload_url: text({ max: MAX_URL, filter: false }),
    http_method: choice(httpMethods, { default: 'POST', max: 30, plain: true }),
    http_content_type: text({ max: 100, default: 'application/json' }),
    additional_headers: text({ optional: true, filter: false }),
    body_template: text({ optional: true, filter: false }),
    secret: sealed({ max: 255, optional: true }),
    secrets: helped(
      'Values for templates, by name: {{ secrets.name }}. Write-only: they are shown as masks, and only when `fields` names them.',
      sealedTexts(),
    ),
    // The whole texts of those above that show masks in place of credentials.
    credentials: sealed({ optional: true, hidden: true, filter: false }),
    ssl_verification: boolean({ default: true }),
    ca_file_path: text({ max: 4096, optional: true, nullable: true }),
    custom_fields: customFields(),
    ...owner(),
    tags: tags(),
    ...timestamps(),
  },
  filters: { payload_url: compared('payload_url', 'string', 'contains'), secret: column('secret', 'string') },
  rules: [inOrder(requestCanBeMade, credentialsConcealed), certificateNeedsVerification, secretsKept('secrets')],
});
