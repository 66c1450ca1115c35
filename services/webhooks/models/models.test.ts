import {
  columnsOf,
  type Errors,
  isReplicated,
  type Model,
  type ParseContext,
  type RuleContext,
  type Values,
} from '@cadastre/model';
import { describe, expect, test } from '@jest/globals';
import { testSeal } from '../../../tools/testing/secrets/seal.ts';
import { facilities as facilitiesOf } from '../rules/facilities.ts';
import { namingTables } from '../queue/naming.ts';
import { deliveryTables } from '../queue/schema.ts';
import { trackingTables } from '../queue/tracking.ts';
import { eventRule } from './eventRule.ts';
import { webhook } from './webhook.ts';
import { webhookDelivery } from './webhookDelivery.ts';
import { webhookReplay } from './webhookReplay.ts';

const facilities: Record<string, unknown> = { ...facilitiesOf(200, testSeal) };

const context: RuleContext = {
  before: null,
  given: {},
  related: async (type, id) => (type === 'extras.webhook' && id === 1 ? {} : null),
  isBelow: async () => false,
  requester: { userId: 1 },
  among: [],
  found: async () => [],
  displayOf: async () => '',
  held: async () => null,
  current: async () => null,
  labelOf: () => undefined,
  featuresOf: () => undefined,
  service: <T>(name: string) => facilities[name] as T,
};

async function errorsOf(model: Model, object: Values): Promise<Errors> {
  return Object.assign({}, ...(await Promise.all(model.rules.map((rule) => rule(object, context)))));
}

describe('a webhook', () => {
  test('has templates that can be read', async () => {
    expect(await errorsOf(webhook, { payload_url: 'http://x/{{ bad' })).toEqual({
      payload_url: ["Invalid template: unexpected end of template, expected 'end of print statement'."],
    });
    expect(
      await errorsOf(webhook, { payload_url: 'http://x/{{ object_type }}', body_template: '{"a": "{{ data.name }}"}' }),
    ).toEqual({});
  });

  test('has headers with names', async () => {
    expect(
      await errorsOf(webhook, {
        payload_url: 'http://x',
        additional_headers: 'X-Site: {{ data.name }}\nX-{{ event }}: 1\n{% if data.name %}\nX-A: 1\n{% endif %}',
      }),
    ).toEqual({});
    expect(await errorsOf(webhook, { payload_url: 'http://x', additional_headers: 'X-Site' })).toHaveProperty(
      'additional_headers',
    );
  });

  test('names no certificates when it does not check any', async () => {
    expect(
      await errorsOf(webhook, { payload_url: 'http://x', ssl_verification: false, ca_file_path: '/ca.pem' }),
    ).toEqual({ ca_file_path: ['Do not specify a CA certificate file if SSL verification is disabled.'] });
  });

  test('keeps its secret out of snapshots and replicas', () => {
    expect(webhook.fields['secret']!.secret).toBe(true);
    expect(isReplicated('secret', webhook.fields['secret']!)).toBe(false);
  });
});

describe('an event rule', () => {
  const rule = { action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: 1 };

  test('acts on an object that exists and fits', async () => {
    expect(await errorsOf(eventRule, rule)).toEqual({});
    expect(await errorsOf(eventRule, { ...rule, action_object_type: 'dcim.site' })).toHaveProperty(
      'action_object_type',
    );
    expect(eventRule.fields['action_type']!.parse!('script', {} as ParseContext)).toMatchObject({
      errors: [expect.stringContaining('Scripts')],
    });
  });

  test('has conditions that can be read', async () => {
    expect(await errorsOf(eventRule, { ...rule, conditions: { bogus: 1 } })).toEqual({
      conditions: ["Invalid logic type: must be 'AND' or 'OR'. Please check documentation."],
    });
    expect(
      await errorsOf(eventRule, { ...rule, conditions: { and: [{ attr: 'status.value', value: 'active' }] } }),
    ).toEqual({});
  });
});

test.each([webhookDelivery, webhookReplay])('$plural are shown from the tables of the queue', (model) => {
  const ddl = [...deliveryTables, ...trackingTables, ...namingTables]
    .filter((statement) => new RegExp(`^(create|alter) table ${model.table}\\s`).test(statement))
    .join('\n');
  for (const { name } of columnsOf(model).filter((c) => c.name !== '_version' && c.name !== 'request_url'))
    expect(ddl).toMatch(new RegExp(`^\\s+(add column )?${name} `, 'm'));
  expect(model).toMatchObject({ migrated: false, readOnly: true });
});
