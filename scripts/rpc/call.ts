import { type ClientTls, channelTls } from '@gatehouse/kit/rpc/client-tls';
import { CALLER_METADATA, MAX_MESSAGE_BYTES } from '@gatehouse/kit/rpc/limits';
import { type CallOptions, Client, Metadata } from '@grpc/grpc-js';
import type { Contracts, Method } from './contracts.ts';
import { readMessage } from './read-message.ts';
import { UsageError } from './usage-error.ts';

export interface OneCall {
  readonly address: string;
  readonly tls: ClientTls | undefined;
  readonly method: Method;
  readonly request: object;
  readonly metadata: Metadata;
  /** Undefined: none. */
  readonly deadline_ms: number | undefined;
}

/** Calls a method as a client without generated code does. @throws ServiceError of grpc-js */
export async function call(contracts: Contracts, unary: OneCall): Promise<object> {
  const { method, request, metadata } = unary;
  const client = openClient(unary);
  try {
    return await new Promise<object>((resolve, reject) => {
      client.makeUnaryRequest(
        method.path,
        codecOf(contracts, method.request).serialize,
        codecOf(contracts, method.response).deserialize,
        request,
        metadata,
        deadlineOf(unary),
        (error, response) => (error === null ? resolve(response ?? {}) : reject(error)),
      );
    });
  } finally {
    client.close();
  }
}

/** The same for a method that answers with a stream: gives each response. */
export async function* callStream(contracts: Contracts, streaming: OneCall): AsyncGenerator<object> {
  const { method, request, metadata } = streaming;
  const client = openClient(streaming);
  try {
    yield* client.makeServerStreamRequest(
      method.path,
      codecOf(contracts, method.request).serialize,
      codecOf(contracts, method.response).deserialize,
      request,
      metadata,
      deadlineOf(streaming),
    );
  } finally {
    client.close();
  }
}

function openClient({ address, tls }: OneCall): Client {
  const { via, options } = channelTls(tls);
  return new Client(address, via, {
    ...options,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });
}

function deadlineOf({ deadline_ms }: OneCall): CallOptions {
  return deadline_ms === undefined ? {} : { deadline: Date.now() + deadline_ms };
}

/** What travels beside the request. @throws UsageError for keys and values that gRPC does not have */
export function metadataOf(
  contracts: Contracts,
  pairs: readonly (readonly [key: string, value: string])[],
  caller: string | undefined,
): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of pairs) {
    try {
      metadata.add(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
    } catch (error) {
      throw new UsageError(`--metadata ${key}: ${(error as Error).message}`);
    }
  }
  if (caller !== undefined) {
    const message = readMessage(contracts, CALLER, caller, '--caller');
    metadata.set(CALLER_METADATA, codecOf(contracts, CALLER).serialize(message));
  }
  return metadata;
}

const CALLER = 'kit.v1.Caller';

function codecOf({ codecs }: Contracts, message: string) {
  const codec = codecs.get(message);
  if (codec === undefined) throw new Error(`proto/ has no message ${message}`);
  return codec;
}
