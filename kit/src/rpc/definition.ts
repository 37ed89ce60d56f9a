import type { MessageType } from './messages/codec.ts';

/** A method as ts-proto generates it. RequestOf and ResponseOf recover the types of its messages. */
export interface MethodDefinition {
  readonly name: string;
  readonly requestType: MessageType<unknown>;
  readonly responseType: MessageType<unknown>;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly options: { readonly idempotencyLevel?: 'IDEMPOTENT' | 'NO_SIDE_EFFECTS' };
}

/** A service as ts-proto generates it (generic-definitions). */
export interface ServiceDefinition {
  readonly name: string;
  readonly fullName: string;
  readonly methods: { readonly [method: string]: MethodDefinition };
}

export type RequestOf<M extends MethodDefinition> = ReturnType<M['requestType']['decode']>;
export type ResponseOf<M extends MethodDefinition> = ReturnType<M['responseType']['decode']>;

/** "/package.Service/Method", the name that gRPC sends. */
export function methodPath(service: ServiceDefinition, method: MethodDefinition): string {
  return `/${service.fullName}/${method.name}`;
}

/** The methods of a service that answer one request with a stream of responses, each with its name in TypeScript. */
export function streamingMethods(service: ServiceDefinition): [name: string, method: MethodDefinition][] {
  return Object.entries(service.methods).filter(
    ([, method]) => !method.requestStream && method.responseStream,
  );
}

/** The unary methods of a service, each with its name in TypeScript. */
export function unaryMethods(service: ServiceDefinition): [name: string, method: MethodDefinition][] {
  return Object.entries(service.methods).filter(
    ([, method]) => !method.requestStream && !method.responseStream,
  );
}

/** The methods of a service with streams in both directions, each with its name in TypeScript. */
export function bidiMethods(service: ServiceDefinition): [name: string, method: MethodDefinition][] {
  return Object.entries(service.methods).filter(
    ([, method]) => method.requestStream && method.responseStream,
  );
}
