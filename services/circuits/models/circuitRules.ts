import { type Field, fails, type Json, type Rule, type RuleContext, type Values } from '@cadastre/model';

/** The provider account of a circuit must belong to the provider of the circuit. */
export const accountOf =
  (
    provider: (object: Values, context: RuleContext) => Json | undefined | Promise<Json | undefined>,
    message: string,
  ): Rule =>
  async (object, context) => {
    const account = await context.related('circuits.provideraccount', object['provider_account']);
    return account && account['provider'] !== (await provider(object, context))
      ? { provider_account: [message] }
      : undefined;
  };

/** The reference accepts this list and ignores it: members of groups are objects of their own. */
export const assignments = (): Field => ({
  kind: 'assignments',
  required: false,
  nullable: false,
  readOnly: false,
  writeOnly: true,
  lookups: null,
  parse: (value) =>
    Array.isArray(value) && !value.length
      ? { value }
      : fails('Circuits are put into groups at /api/circuits/circuit-group-assignments/.'),
  metadata: () => ({ type: 'field', required: false, read_only: false }),
  schema: { read: {}, write: { type: 'array', items: {}, maxItems: 0 } },
});
