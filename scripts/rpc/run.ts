import { ConfigError } from '@gatehouse/kit/env';
import type { ServiceError } from '@grpc/grpc-js';
import { operatorCertificates } from '../operator-tls.ts';
import { type CallOptions, DEFAULT_DEADLINE_MS, HELP, readArguments } from './arguments.ts';
import { call, callStream, metadataOf } from './call.ts';
import { loadContracts } from './contracts.ts';
import { describe } from './describe.ts';
import { failureText, jsonLine, jsonText } from './failure-text.ts';
import { findMethod, findName } from './find-name.ts';
import { readMessage } from './read-message.ts';
import { targetOf } from './target.ts';
import { UsageError } from './usage-error.ts';

/** The exit codes that the help promises. */
const FAILED = 1;
const USAGE = 2;

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Does what a command line of `npm run rpc` asks for.
 *
 * @param input reads standard input, which only the request `-` does
 * @param print writes a part of standard output at once: each response of a stream
 */
export async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: () => Promise<string>,
  print: (text: string) => void,
): Promise<Outcome> {
  try {
    return { code: 0, stdout: await outputOf(args, env, input, print), stderr: '' };
  } catch (error) {
    if (error instanceof CallFailed) return { code: FAILED, stdout: '', stderr: error.message };
    if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
    return {
      code: USAGE,
      stdout: '',
      stderr: `${error.message}\nnpm run rpc -- --help says how to use it.\n`,
    };
  }
}

async function outputOf(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: () => Promise<string>,
  print: (text: string) => void,
): Promise<string> {
  const options = readArguments(args);
  switch (options.command) {
    case 'help':
      return HELP;
    case 'list':
      return list(options.name);
    case 'describe':
      return describe(loadContracts({ defaults: true }), options.name);
    case 'call':
      return await callMethod(options, env, input, print);
  }
}

function list(name: string | undefined): string {
  const { services } = loadContracts({ defaults: true });
  const names = [...services.keys()].sort();
  const shown = name === undefined ? names : [findName(names, name, 'service')];
  return shown
    .flatMap((service) => [...(services.get(service)?.keys() ?? [])].map((rpc) => `${service}/${rpc}\n`))
    .join('');
}

async function callMethod(
  options: CallOptions,
  env: NodeJS.ProcessEnv,
  input: () => Promise<string>,
  print: (text: string) => void,
): Promise<string> {
  const contracts = loadContracts({ defaults: options.defaults });
  const { service, rpc, method } = findMethod(contracts, options.name);
  if (method.request_streams)
    throw new UsageError(`${service}/${rpc} takes a stream: only methods with one request can be called.`);
  const { server, address } = targetOf({ ...options, service }, env);
  const metadata = metadataOf(contracts, options.metadata, options.caller);
  const json = options.request === '-' ? await input() : options.request;
  const request = readMessage(contracts, method.request, json, 'the request');
  const certificates = operatorCertificates(env, address);
  try {
    const tls = certificates && { certificates, peer: peerOf(server, address) };
    const { deadline_ms } = options;
    const made = { address, tls, method, request, metadata };
    if (!method.response_streams)
      return jsonText(await call(contracts, { ...made, deadline_ms: deadline_ms ?? DEFAULT_DEADLINE_MS }));
    for await (const response of callStream(contracts, { ...made, deadline_ms })) print(jsonLine(response));
    return '';
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw new CallFailed(failureText(contracts, error, `${service}/${rpc} at ${address}`));
  } finally {
    certificates?.close();
  }
}

/** Whose certificate the server must show. */
function peerOf(server: string | undefined, address: string): string {
  if (server === undefined)
    throw new UsageError(`Whose certificate does ${address} have? Say so by --server.`);
  return server;
}

/** The call was made and failed, or could not be made. */
class CallFailed extends Error {}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'metadata' in error && 'details' in error;
}
