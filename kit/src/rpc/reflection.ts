import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';
import type { handleBidiStreamingCall, MethodDefinition, Server, ServerDuplexStream } from '@grpc/grpc-js';
import type { Implementation } from './dispatch.ts';

const require = createRequire(import.meta.url);

type Handle = handleBidiStreamingCall<unknown, unknown>;
type Method = MethodDefinition<unknown, unknown> & { readonly handle: Handle };

/**
 * Serves gRPC reflection, for tools such as grpcurl. The parser of .proto files is loaded with the first request:
 * it would take a sixth of an idle process's memory.
 */
export function addReflection(server: Server, implementations: readonly Implementation[]): void {
  let loaded: ReadonlyMap<string, Method> | undefined;

  for (const version of ['v1', 'v1alpha']) {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    const method = (): Method => {
      loaded ??= load(implementations);
      const found = loaded.get(path);
      if (found === undefined) throw new Error(`@grpc/reflection does not serve ${path}`);
      return found;
    };
    server.addService(
      {
        [path]: {
          path,
          requestStream: true,
          responseStream: true,
          requestSerialize: (message: unknown) => method().requestSerialize(message),
          requestDeserialize: (bytes) => method().requestDeserialize(bytes),
          responseSerialize: (message: unknown) => method().responseSerialize(message),
          responseDeserialize: (bytes) => method().responseDeserialize(bytes),
        },
      },
      { [path]: (stream: ServerDuplexStream<unknown, unknown>) => method().handle(stream) },
    );
  }
}

function load(implementations: readonly Implementation[]): ReadonlyMap<string, Method> {
  const { loadSync } = require('@grpc/proto-loader') as typeof import('@grpc/proto-loader');
  const { ReflectionService } = require('@grpc/reflection') as typeof import('@grpc/reflection');
  const methods = new Map<string, Method>();
  const definition = loadSync(protoFiles(implementations), { includeDirs: [protoRoot], keepCase: true });
  new ReflectionService(definition).addToServer({
    addService: (service, handlers) => {
      for (const [name, method] of Object.entries(service)) {
        methods.set(method.path, { ...method, handle: handlers[name] as Handle });
      }
    },
  });
  return methods;
}

function protoFiles(implementations: readonly Implementation[]): string[] {
  const served = implementations.map(({ service }) => packageFolder(service.fullName));
  const folders = new Set(['kit/v1', 'grpc/health/v1', ...served]);
  return [...folders].flatMap((folder) =>
    readdirSync(join(protoRoot, folder))
      .filter((file) => file.endsWith('.proto'))
      .map((file) => `${folder}/${file}`),
  );
}

/** "gatehouse.auth.v1.AuthService" → "gatehouse/auth/v1" */
function packageFolder(fullName: string): string {
  return fullName.split('.').slice(0, -1).join('/');
}
