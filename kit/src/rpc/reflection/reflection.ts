import { ServerReflectionRequest, ServerReflectionResponse } from '@gatehouse/proto/grpc/reflection';
import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import { Status } from '../../fault.ts';
import { bytesMethod } from '../bytes-method.ts';
import { answerer } from './answerer.ts';
import type { ContractFiles } from './contract-files.ts';

type Stream = ServerDuplexStream<Uint8Array, Uint8Array>;

const VERSIONS = ['v1', 'v1alpha'];

/**
 * Serves gRPC reflection, for tools such as grpcurl: the contracts as buf compiled them, with comments, and the names
 * of these services. Both versions have the same messages. The contracts, and the code that reads them, are loaded
 * with the first request.
 */
export function addReflection(server: Server, services: readonly string[]): void {
  const names = VERSIONS.map((version) => `grpc.reflection.${version}.ServerReflection`);
  let loading: Promise<ContractFiles> | undefined;

  function serve(stream: Stream): void {
    loading ??= import('./contract-files.ts').then(({ readContractFiles }) => readContractFiles());
    loading.then(
      (files) => answerAll(stream, files, [...services, ...names]),
      () => {
        loading = undefined;
        stream.emit('error', { code: Status.INTERNAL, details: 'the compiled contracts cannot be read' });
      },
    );
  }

  for (const name of names) {
    const path = `/${name}/ServerReflectionInfo`;
    server.addService({ [path]: bytesMethod(path, 'bidirectional stream') }, { [path]: serve });
  }
}

function answerAll(stream: Stream, files: ContractFiles, services: readonly string[]): void {
  const answer = answerer(files, services);
  stream.on('data', (bytes: Uint8Array) => {
    const request = decoded(bytes);
    if (request === undefined) {
      stream.emit('error', { code: Status.INVALID_ARGUMENT, details: 'not a ServerReflectionRequest' });
      return;
    }
    // Reads no further requests while the client does not read its answers.
    if (stream.write(ServerReflectionResponse.encode(answer(request)).finish())) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
  stream.on('end', () => stream.end());
}

function decoded(bytes: Uint8Array): ServerReflectionRequest | undefined {
  try {
    return ServerReflectionRequest.decode(bytes);
  } catch {
    return undefined;
  }
}
