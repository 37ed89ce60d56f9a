import { operatorCertificates } from '@gatehouse/cli/service/operator-certificates';
import { serviceAddress } from '@gatehouse/cli/suite/addresses';
import { SERVERS } from '@gatehouse/cli/suite/servers';
import { ConfigError } from '@gatehouse/kit/env';
import { CALLS } from '@gatehouse/proto/peers';
import type { ServiceError } from '@grpc/grpc-js';
import { type Arguments, DEFAULT_DEADLINE_MS, HELP, readArguments } from './arguments.ts';
import { call, failureText, jsonText, metadataOf } from './call.ts';
import { findMethod, findName, loadContracts } from './contracts.ts';
import { describe } from './describe.ts';
import { readMessage } from './request.ts';
import { UsageError } from './usage-error.ts';

/** The exit codes that the help promises. */
const FAILED = 1;
const USAGE = 2;

export interface Outcome {
  readonly code: number;
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
    const options = readArguments(args);
    if (options.help) print(HELP);
    else if (options.first === 'list') print(list(options.second));
    else if (options.first === 'describe') print(describe(options.second ?? ''));
    else await callMethod(options, env, input, print);
    return { code: 0, stderr: '' };
  } catch (error) {
    if (error instanceof CallFailed) return { code: FAILED, stderr: error.message };
    if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
    return { code: USAGE, stderr: `${error.message}\nnpm run rpc -- --help says how to use it.\n` };
  }
}

function list(name: string | undefined): string {
  const { services } = loadContracts({ defaults: true });
  const names = [...services.keys()].sort();
  return (name === undefined ? names : [findName(names, name, 'service')])
    .flatMap((service) => Object.keys(services.get(service) ?? {}).map((rpc) => `${service}/${rpc}\n`))
    .join('');
}

async function callMethod(
  options: Arguments,
  env: NodeJS.ProcessEnv,
  input: () => Promise<string>,
  print: (text: string) => void,
): Promise<void> {
  const contracts = loadContracts({ defaults: true });
  const { service, rpc, method: full } = findMethod(contracts, options.first);
  if (full.requestStream)
    throw new UsageError(`${service}/${rpc} takes a stream: only methods with one request can be called.`);
  const { server, address } = targetOf(service, options, env);
  const metadata = metadataOf(contracts, options.metadata ?? [], options.caller);
  const json = options.second === '-' ? await input() : (options.second ?? '{}');
  const request = readMessage(full.requestType, json, 'the request');
  const { method } = options['no-defaults']
    ? findMethod(loadContracts({ defaults: false }), `${service}/${rpc}`)
    : { method: full };
  const deadline_ms = options.deadline_ms ?? (method.responseStream ? undefined : DEFAULT_DEADLINE_MS);
  const certificates = operatorCertificates(env, address);
  try {
    const tls = certificates && { certificates, peer: peerOf(server, address) };
    for await (const response of call({ address, tls, method, request, metadata, deadline_ms }))
      print(jsonText(response, method.responseStream ? 0 : 2));
  } catch (error) {
    if (!(error instanceof Error && 'metadata' in error)) throw error;
    throw new CallFailed(failureText(contracts, error as ServiceError, `${service}/${rpc} at ${address}`));
  } finally {
    certificates?.close();
  }
}

/**
 * Who serves a service, if that is known, and where: the address that is given, or that of the process's variable, or
 * the one that `npm start` gives it. Of several replicas the first.
 */
function targetOf(
  service: string,
  given: Pick<Arguments, 'server' | 'address'>,
  env: NodeJS.ProcessEnv,
): { readonly server: string | undefined; readonly address: string } {
  const server = given.server ?? CALLS.find((row) => row.service === service)?.to;
  if (given.address !== undefined) return { server, address: given.address };
  const name = SERVERS.find((one) => one === server);
  if (name === undefined) throw new UsageError(`Every process serves ${service}: say which by --server.`);
  const [first = ''] = serviceAddress(env, name).split(',');
  return { server, address: first.trim() };
}

/** Whose certificate the server must show. */
function peerOf(server: string | undefined, address: string): string {
  if (server === undefined)
    throw new UsageError(`Whose certificate does ${address} have? Say so by --server.`);
  return server;
}

/** The call was made and failed, or could not be made. */
class CallFailed extends Error {}
