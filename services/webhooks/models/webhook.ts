import { boolean, choice, column, compared, customFields, description, type Errors, type Feature, model, owner, type Rule, tags, text, timestamps } from '@cadastre/model';
import { httpMethods } from './eventRuleChoices.ts';

/** What the service that owns webhooks provides under the name `templates`. */
export interface Templates {
  /** Why a text is no template, as the message for the user, or null. */
  check(text: string): string | null;
}

const TEMPLATED = ['payload_url', 'additional_headers', 'body_template'];

export const templatesCompile: Rule = (object, { service }) => {
  const templates = service<Templates>('templates');
  const errors: Errors = {};
  for (const name of TEMPLATED) {
    const problem = typeof object[name] === 'string' ? templates.check(object[name]) : null;
    if (problem !== null) errors[name] = [problem];
  }
  return errors;
};

/** Headers are lines of a name, a colon and a value; a line that is only a template may become any number of headers. */
export const headersHaveNames: Rule = ({ additional_headers: headers }) => {
  const lines = String(headers ?? '').split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*\{[%{#]/.test(line));
  const wrong = lines.find((line) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/.test(line.replace(/\{\{.*?\}\}|\{%.*?%\}/g, 'x')));
  return wrong === undefined ? undefined : { additional_headers: [`Expected a header as "Name: value", got "${wrong.trim().slice(0, 100)}".`] };
};

export const certificateNeedsVerification: Rule = ({ ssl_verification, ca_file_path }) =>
  (ssl_verification === false && ca_file_path ? { ca_file_path: ['Do not specify a CA certificate file if SSL verification is disabled.'] } : undefined);

export const webhookFeatures: Feature[] = ['tags', 'customFields', 'changeLogging', 'eventRules', 'exportTemplates', 'timestamps'];

/** Where and how a message about a change is sent. */
export const webhook = model('extras.webhook', {
  path: 'webhooks', label: 'webhook', ordering: ['name'], features: webhookFeatures, brief: ['name', 'description'], search: ['name', 'description', 'payload_url'],
  fields: {
    name: text({ max: 150, unique: true, natural: true }),
    ...description(),
    payload_url: text({ max: 500, filter: false }),
    http_method: choice(httpMethods, { default: 'POST', max: 30, plain: true }),
    http_content_type: text({ max: 100, default: 'application/json' }),
    additional_headers: text({ optional: true, filter: false }),
    body_template: text({ optional: true, filter: false }),
    secret: text({ max: 255, optional: true, secret: true }),
    ssl_verification: boolean({ default: true }),
    ca_file_path: text({ max: 4096, optional: true, nullable: true }),
    custom_fields: customFields(),
    ...owner(),
    tags: tags(),
    ...timestamps(),
  },
  filters: { payload_url: compared('payload_url', 'string', 'contains'), secret: column('secret', 'string') },
  rules: [templatesCompile, headersHaveNames, certificateNeedsVerification],
});
