import { printable, printableJson } from '@gatehouse/cli/output/printable';
import { CALLER_METADATA, MAX_MESSAGE_BYTES } from '@gatehouse/kit/rpc/limits';
import { type ClientTls, channelTls } from '@gatehouse/kit/rpc/tls/client-tls';
import { Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { Contracts, Message } from './contracts.ts';
import { readMessage } from './request.ts';
import { UsageError } from './usage-error.ts';

export interface Call {
  readonly address: string;
  readonly tls: ClientTls | undefined;
  readonly method: MethodDefinition<object, object>;
  readonly request: object;
  readonly metadata: Metadata;
  /** Undefined: none. */
  readonly deadline_ms: number | undefined;
}

/** Calls a method as a client without generated code does, and gives each response. @throws ServiceError of grpc-js */
export async function* call(one: Call): AsyncGenerator<object> {
  const { path, requestSerialize, responseDeserialize } = one.method;
  const { via, options } = channelTls(one.tls);
  const client = new Client(one.address, via, {
    ...options,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });
  const deadline = one.deadline_ms === undefined ? {} : { deadline: Date.now() + one.deadline_ms };
  try {
    // A single response is a stream of one.
    yield* client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      one.request,
      one.metadata,
      deadline,
    );
  } finally {
    client.close();
  }
}

/** What travels beside the request. @throws UsageError for keys and values that gRPC does not have */
export function metadataOf(
  contracts: Contracts,
  pairs: readonly string[],
  caller: string | undefined,
): Metadata {
  const metadata = new Metadata();
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === '') throw new UsageError('--metadata is KEY=VALUE.');
    try {
      metadata.add(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
    } catch (error) {
      throw new UsageError(`--metadata ${key}: ${(error as Error).message}`);
    }
  }
  if (caller !== undefined) {
    const message = messageOf(contracts, 'kit.v1.Caller');
    metadata.set(CALLER_METADATA, message.serialize(readMessage(message, caller, '--caller')));
  }
  return metadata;
}

/** All that a failed call says: status, message, the details of its google.rpc.Status, trailers. */
export function failureText(contracts: Contracts, error: ServiceError, called: string): string {
  const { code, details, metadata } = error;
  const trailers = Object.keys(metadata.getMap()).flatMap((key) =>
    metadata.get(key).map((value) => [key, typeof value === 'string' ? value : value.toString('base64')]),
  );
  return [
    `${status[code] ?? 'UNKNOWN'} (${code}) of ${called}`,
    `message: ${printable(details)}`,
    ...statusDetails(contracts, metadata).map((detail) => `detail: ${jsonText(detail, 2).trimEnd()}`),
    ...trailers.map(([key, value = '']) => `trailer: ${key}: ${printable(value)}`),
    '',
  ].join('\n');
}

/** ErrorInfo, BadRequest and whatever else there is, each with its type as `@type`. */
function statusDetails(contracts: Contracts, metadata: Metadata): readonly unknown[] {
  return metadata.get('grpc-status-details-bin').flatMap((value) => {
    try {
      const decoded = messageOf(contracts, 'google.rpc.Status').deserialize(Buffer.from(value));
      return (decoded as { details?: unknown[] }).details ?? [];
    } catch (error) {
      return [`grpc-status-details-bin is no google.rpc.Status: ${(error as Error).message}`];
    }
  });
}

function messageOf({ messages }: Contracts, name: string): Message {
  const message = messages.get(name);
  if (message === undefined) throw new Error(`proto/ has no message ${name}`);
  return message;
}

/** JSON for people and scripts, without what a terminal would obey. */
export function jsonText(value: unknown, indent: 0 | 2): string {
  return `${JSON.stringify(value, null, indent).split('\n').map(printableJson).join('\n')}\n`;
}
