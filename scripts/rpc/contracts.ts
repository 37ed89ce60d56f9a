import { readdirSync } from 'node:fs';
import { protoRoot } from '@gatehouse/proto/schema';
import {
  type EnumTypeDefinition,
  loadSync,
  type MessageTypeDefinition,
  type MethodDefinition,
  type ServiceDefinition,
} from '@grpc/proto-loader';

/** All that proto/ declares, by full names. */
export interface Contracts {
  /** Of each service its methods, by their names. */
  readonly services: ReadonlyMap<string, ReadonlyMap<string, Method>>;
  /** Of each message its fields, by their names. */
  readonly messages: ReadonlyMap<string, Fields>;
  /** Of each enum the names of its values. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** Writes and reads the messages that are not declared within another. */
  readonly codecs: ReadonlyMap<string, Codec>;
}

export interface Method {
  /** "/package.Service/Method" */
  readonly path: string;
  /** The full names of its messages. */
  readonly request: string;
  readonly response: string;
  /** Whether more than one message goes there. */
  readonly request_streams: boolean;
  /** Whether more than one message comes back. */
  readonly response_streams: boolean;
}

export type Fields = ReadonlyMap<string, Field>;

export interface Field {
  /** As in a FieldDescriptorProto, such as TYPE_STRING; of a map that of its values. */
  readonly type: string;
  /** The full name of the message or enum that it holds. */
  readonly typeName: string | undefined;
  readonly kind: 'single' | 'repeated' | 'map';
}

export type Codec = Pick<MessageTypeDefinition<object, object>, 'serialize' | 'deserialize'>;

/**
 * Loads all .proto files of the project with @grpc/proto-loader.
 *
 * @param defaults whether what is read shows fields that have their default value
 */
export function loadContracts({ defaults }: { readonly defaults: boolean }): Contracts {
  const loaded = Object.entries(
    loadSync(protoFiles(), {
      includeDirs: [protoRoot],
      keepCase: true,
      longs: String,
      enums: String,
      bytes: String,
      json: true,
      defaults,
      arrays: defaults,
    }),
  );
  const codecs = new Map(loaded.flatMap(([name, one]) => (isMessage(one) ? [[name, one]] : [])));
  const services = loaded.flatMap(([name, one]) => (isService(one) ? [[name, one] as const] : []));
  const nested = [...codecs].flatMap(([name, { type }]) => declaredIn(name, type as MessageDescriptor));
  const messages = new Map(nested.flatMap(([name, one]) => ('field' in one ? [[name, one]] : [])));
  const enums = new Map(
    [
      ...loaded.flatMap(([name, one]) => (isEnum(one) ? [[name, one.type as EnumDescriptor] as const] : [])),
      ...nested.flatMap(([name, one]) => ('value' in one ? [[name, one] as const] : [])),
    ].map(([name, { value }]) => [name, value.map((each) => each.name)]),
  );
  const known = new Set([...messages.keys(), ...enums.keys()]);
  return {
    services: new Map(services.map(([name, service]) => [name, methodsOf(name, service, known)])),
    messages: new Map([...messages].map(([name, message]) => [name, fieldsOf(name, message, known)])),
    enums,
    codecs,
  };
}

/** The project's .proto files, as their imports name them. */
export function protoFiles(): string[] {
  return readdirSync(protoRoot, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.proto') && !file.startsWith('node_modules'),
  );
}

type Definition = ServiceDefinition | MessageTypeDefinition<object, object> | EnumTypeDefinition;

function isMessage(definition: Definition): definition is MessageTypeDefinition<object, object> {
  return definition.format === 'Protocol Buffer 3 DescriptorProto';
}

function isEnum(definition: Definition): definition is EnumTypeDefinition {
  return definition.format === 'Protocol Buffer 3 EnumDescriptorProto';
}

function isService(definition: Definition): definition is ServiceDefinition {
  return !isMessage(definition) && !isEnum(definition);
}

/** What is used of a google.protobuf.DescriptorProto, which proto-loader gives as a plain object. */
interface MessageDescriptor {
  readonly name: string;
  readonly field: readonly FieldDescriptor[];
  readonly nestedType: readonly MessageDescriptor[];
  readonly enumType: readonly EnumDescriptor[];
  readonly options: { readonly mapEntry: boolean } | null;
}

interface FieldDescriptor {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly typeName: string;
}

interface EnumDescriptor {
  readonly name: string;
  readonly value: readonly { readonly name: string }[];
}

/** A message, and the messages and enums that are declared within it. */
function declaredIn(
  name: string,
  message: MessageDescriptor,
): [name: string, descriptor: MessageDescriptor | EnumDescriptor][] {
  return [
    [name, message],
    ...message.enumType.map((one): [string, EnumDescriptor] => [`${name}.${one.name}`, one]),
    ...message.nestedType.flatMap((one) => declaredIn(`${name}.${one.name}`, one)),
  ];
}

function methodsOf(
  service: string,
  definition: ServiceDefinition,
  known: ReadonlySet<string>,
): ReadonlyMap<string, Method> {
  const fullName = ({ type }: MessageTypeDefinition<object, object>) =>
    resolve((type as MessageDescriptor).name, service, known) ?? '';
  const methodOf = (method: MethodDefinition<object, object>): Method => ({
    path: method.path,
    request: fullName(method.requestType),
    response: fullName(method.responseType),
    request_streams: method.requestStream,
    response_streams: method.responseStream,
  });
  return new Map(Object.entries(definition).map(([name, method]) => [name, methodOf(method)]));
}

function fieldsOf(
  name: string,
  { field, nestedType }: MessageDescriptor,
  known: ReadonlySet<string>,
): Fields {
  return new Map(
    field.map((one) => {
      const entry = nestedType.find((type) => type.name === one.typeName && type.options?.mapEntry === true);
      const { type, typeName } = entry?.field.find((part) => part.name === 'value') ?? one;
      const kind = entry !== undefined ? 'map' : one.label === 'LABEL_REPEATED' ? 'repeated' : 'single';
      return [one.name, { type, typeName: resolve(typeName, name, known), kind }];
    }),
  );
}

/** A name may lack what begins that of the place where it stands: it is looked up from the inside out. */
function resolve(name: string, within: string, known: ReadonlySet<string>): string | undefined {
  if (name === '') return undefined;
  for (let scope = within; scope !== ''; scope = scope.slice(0, Math.max(scope.lastIndexOf('.'), 0))) {
    if (known.has(`${scope}.${name}`)) return `${scope}.${name}`;
  }
  return name;
}
