import { CALLS, type ServerName } from '@gatehouse/proto/peers';
import { serviceAddress } from '../running-suite.ts';
import { SERVERS } from './servers.ts';
import { UsageError } from './usage-error.ts';

export interface Target {
  /** The process that is asked, if that is known. */
  readonly server: string | undefined;
  /** host:port */
  readonly address: string;
}

export interface TargetOptions {
  /** The full name. */
  readonly service: string;
  readonly server: string | undefined;
  readonly address: string | undefined;
}

/**
 * Who serves a service, and where: the address that is given, or that of the process's variable, or the one that
 * `npm start` gives it. Of several replicas the first.
 *
 * @throws UsageError where neither the contract nor the options say who
 */
export function targetOf({ service, ...given }: TargetOptions, env: NodeJS.ProcessEnv): Target {
  const server = given.server ?? serverOf(service);
  if (given.address !== undefined) return { server, address: given.address };
  const name = SERVERS.find((one) => one === server);
  if (name === undefined) throw new UsageError(`Every process serves ${service}: say which by --server.`);
  const [first = ''] = serviceAddress(env, name).split(',');
  return { server, address: first.trim() };
}

function serverOf(service: string): ServerName | undefined {
  return CALLS.find((row) => row.service === service)?.to;
}
