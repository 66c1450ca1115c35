// The calls of a service in proto/, as data that can be recorded and compared.
import { resolve } from 'node:path';
import type { ServiceName } from '@cadastre/service/grpc-proto';
import { loadSync } from '@grpc/proto-loader';

/** A field on the wire: its number, and its type, such as `repeated string`, or the name of a message. */
interface Field {
  readonly number: number;
  readonly type: string;
}
/** The fields of a message by name. */
export type Message = Readonly<Record<string, Field>>;
/** The names of the request and response messages; `stream` where there are several. */
interface Method {
  readonly request: string;
  readonly response: string;
  readonly stream?: 'response';
}
export interface GrpcContract {
  readonly methods: Readonly<Record<string, Method>>;
  /** By full name. */
  readonly messages: Readonly<Record<string, Message>>;
}

const PROTOS = resolve(import.meta.dirname, '../../proto');

/** A message as proto-loader describes it. */
interface Described {
  field: { name: string; number: number; label: string; type: string; typeName: string }[];
}
type Definition = ReturnType<typeof loadSync>[string];

const isMessage = (definition: Definition): boolean =>
  'format' in definition && definition.format === 'Protocol Buffer 3 DescriptorProto';

interface RpcDefinition {
  requestType: { type: { name: string } };
  responseType: { type: { name: string } };
  responseStream: boolean;
}

/** @param folder of the proto files */
export function grpcContract({ proto, service }: ServiceName, folder = PROTOS): GrpcContract {
  const definitions = loadSync(proto, { keepCase: true, includeDirs: [folder] });
  const messages: Record<string, Message> = {};
  /** Adds a message and the messages in it. A name without a package belongs to the package that uses it. */
  const add = (name: string, within: string): string => {
    const full = definitions[`${packageOf(within)}.${name}`] ? `${packageOf(within)}.${name}` : name.replace(/^\./, '');
    const definition = definitions[full];
    if (!definition || !isMessage(definition)) throw new Error(`${proto} has no message ${full}`);
    if (messages[full]) return full;
    const fields: Record<string, Field> = {};
    messages[full] = fields;
    for (const { name, number, label, type, typeName } of (definition.type as Described).field) {
      const one = typeName ? add(typeName, full) : type.replace('TYPE_', '').toLowerCase();
      fields[name] = { number, type: label === 'LABEL_REPEATED' ? `repeated ${one}` : one };
    }
    return full;
  };
  const methods = Object.fromEntries(
    Object.entries(definitions[service] as unknown as Record<string, RpcDefinition>).map(
      ([name, { requestType, responseType, responseStream }]): [string, Method] => [
        name,
        {
          request: add(requestType.type.name, service),
          response: add(responseType.type.name, service),
          ...(responseStream ? { stream: 'response' } : {}),
        },
      ],
    ),
  );
  return { methods, messages };
}

const packageOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
