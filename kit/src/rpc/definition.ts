import type { MessageType } from './codec.ts';

export interface MethodDefinition {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a method of any message types; RequestOf and ResponseOf recover them.
  readonly requestType: MessageType<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly responseType: MessageType<any>;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly options: { readonly idempotencyLevel?: 'IDEMPOTENT' | 'NO_SIDE_EFFECTS' };
}

/** A service as ts-proto's generic-definitions describe it. */
export interface ServiceDefinition {
  readonly name: string;
  readonly fullName: string;
  readonly methods: { readonly [method: string]: MethodDefinition };
}

export type RequestOf<M extends MethodDefinition> = ReturnType<M['requestType']['decode']>;
export type ResponseOf<M extends MethodDefinition> = ReturnType<M['responseType']['decode']>;

/** "/package.Service/Method", as gRPC names it on the wire. */
export function methodPath(service: ServiceDefinition, method: MethodDefinition): string {
  return `/${service.fullName}/${method.name}`;
}

/** The unary methods of a service by the name TypeScript knows them by. */
export function unaryMethods(service: ServiceDefinition): [name: string, method: MethodDefinition][] {
  return Object.entries(service.methods).filter(
    ([, method]) => !method.requestStream && !method.responseStream,
  );
}
