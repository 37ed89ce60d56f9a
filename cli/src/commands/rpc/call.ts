import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { MAX_MESSAGE_BYTES } from '@gatehouse/kit/rpc/limits';
import { channelTls } from '@gatehouse/kit/rpc/tls/client-tls';
import { CALLS } from '@gatehouse/proto/peers';
import { Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { MessageTypeDefinition, MethodDefinition } from '@grpc/proto-loader';
import { CommandFailure, ExitCode, usageFailure } from '../../failures.ts';
import { printable, printableJson } from '../../output/printable.ts';
import { addressesOf } from '../../profiles/deployment.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { operatorCertificates } from '../../service/operator-certificates.ts';
import { SERVERS, type Server } from '../../stack/servers.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import { type Contracts, findName, loadContracts } from './contracts.ts';

const DEFAULT_DEADLINE_MS = 10_000;

export interface CallOptions {
  readonly address?: string;
  readonly server?: Server;
  readonly deadline?: number;
  readonly metadata?: readonly string[];
  readonly json?: boolean;
}

/** Calls a method without generated code, and prints its responses. */
export async function call(
  name: string,
  json: string,
  options: CallOptions,
  runtime: Runtime,
): Promise<void> {
  const { env, stdin, signal } = runtime;
  const contracts = loadContracts();
  const { path, method } = findMethod(contracts, name);
  const target = targetOf(path, options, env);
  const request = readRequest(
    method.requestType,
    json === '-' ? await text(addAbortSignal(signal, stdin)) : json,
  );
  const metadata = metadataOf(options.metadata ?? []);
  const { client, close } = openClient(target, env);
  const deadline_ms = options.deadline ?? (method.responseStream ? undefined : DEFAULT_DEADLINE_MS);
  try {
    // A unary call is a stream with one response.
    const responses = client.makeServerStreamRequest(
      ...([method.path, method.requestSerialize, method.responseDeserialize, request, metadata] as const),
      deadline_ms === undefined ? {} : { deadline: Date.now() + deadline_ms },
    );
    signal.addEventListener('abort', () => responses.cancel());
    const indent = method.responseStream || options.json ? 0 : 2;
    const print = async () => {
      for await (const response of responses) printLine(runtime, jsonText(response, indent));
    };
    await (method.responseStream ? untilInterrupted(print, signal) : print());
  } catch (error) {
    if (!(error instanceof Error && 'metadata' in error)) throw error;
    throw new CommandFailure(
      ExitCode.NEGATIVE,
      failureText(contracts, error as ServiceError, `${path} at ${target.address}`),
    );
  } finally {
    close();
  }
}

function findMethod(
  { services }: Contracts,
  name: string,
): { path: string; method: MethodDefinition<object, object> } {
  const methods = new Map(
    [...services].flatMap(([service, all]) =>
      Object.entries(all).map(([rpc, one]) => [`${service}/${rpc}`, one]),
    ),
  );
  const path = findName([...methods.keys()], name);
  const method = methods.get(path);
  if (method === undefined || method.requestStream)
    throw usageFailure(`${path} takes a stream of requests: only methods with one request can be called.`);
  return { path, method };
}

interface Target {
  /** Unknown for services that all servers have, if only an address was given. */
  readonly server: Server | undefined;
  readonly address: string;
}

function targetOf(path: string, { server: named, address }: CallOptions, env: NodeJS.ProcessEnv): Target {
  const [service] = path.split('/');
  const server =
    named ?? SERVERS.find((one) => CALLS.some((row) => row.service === service && row.to === one));
  if (address !== undefined) return { server, address };
  if (server === undefined) throw usageFailure(`Name a service with --server: all serve ${service}.`);
  const [first = ''] = addressesOf(env, server).split(',');
  return { server, address: first };
}

/** Opens a client, with the operator's certificate if there is one. */
function openClient(
  { server, address }: Target,
  env: NodeJS.ProcessEnv,
): { readonly client: Client; close(): void } {
  const certificates = operatorCertificates(env, address);
  if (certificates !== undefined && server === undefined)
    throw usageFailure(`Name the service at ${address} with --server: its certificate is checked.`);
  const tls = channelTls(certificates && { certificates, peer: server ?? '' });
  const client = new Client(address, tls.via, {
    ...tls.options,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });
  return {
    client,
    close: () => {
      client.close();
      certificates?.close();
    },
  };
}

/** proto-loader drops unknown members and converts values, so the request is read back and compared. */
function readRequest(type: MessageTypeDefinition<object, object>, json: string): object {
  try {
    const given = JSON.parse(json);
    const [path] = changedMembers(given, type.deserialize(type.serialize(given)), '');
    if (path === undefined) return given;
    throw new Error(`${path} is no member of the message, or has another type`);
  } catch (error) {
    throw usageFailure(printable(`The request cannot be used: ${(error as Error).message}.`));
  }
}

function changedMembers(given: unknown, read: unknown, path: string): string[] {
  if (given === null) return [];
  if (typeof given === 'object' && typeof read === 'object' && read !== null)
    return Object.entries(given).flatMap(([name, value]) =>
      changedMembers(value, (read as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
    );
  return typeof given !== 'object' && String(given) === String(read) ? [] : [path];
}

function metadataOf(pairs: readonly string[]): Metadata {
  const metadata = new Metadata();
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    try {
      metadata.add(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
    } catch (error) {
      throw usageFailure(printable(`--metadata ${key}: ${(error as Error).message}`));
    }
  }
  return metadata;
}

/** Status, message, and the details of google.rpc.Status. */
function failureText(
  { messages }: Contracts,
  { code, details, metadata }: ServiceError,
  called: string,
): string {
  const status_details = metadata.get('grpc-status-details-bin').flatMap((value) => {
    const decoded = messages.get('google.rpc.Status')?.deserialize(Buffer.from(value)) as {
      details?: unknown[];
    };
    return decoded?.details ?? [];
  });
  return [
    `${status[code] ?? 'UNKNOWN'} (${code}) of ${called}`,
    `message: ${printable(details)}`,
    ...status_details.map((detail) => `detail: ${jsonText(detail, 2)}`),
  ].join('\n');
}

function jsonText(value: unknown, indent: 0 | 2): string {
  return JSON.stringify(value, null, indent).split('\n').map(printableJson).join('\n');
}
