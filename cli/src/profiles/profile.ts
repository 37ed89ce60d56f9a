import { isHostPort } from '@gatehouse/kit/env';
import { isObject } from '../json/members.ts';
import { isUrl } from '../options/parsers.ts';
import { SERVERS, type Server } from '../stack/servers.ts';

/** Where a deployment is, and how an operator enters it. Without a setting, commands that need it say so. */
export interface Profile {
  /** The console's, without a path. */
  readonly console_url?: string;
  /** The operator's, for this console only. */
  readonly token?: string;
  /** The edge's, without a path. */
  readonly base_url?: string;
  /** The WebSocket Gateway's. Without it, the edge says it. */
  readonly gateway_url?: string;
  /** Of services: host:port, or several separated by commas. */
  readonly addresses?: Readonly<Partial<Record<Server, string>>>;
  /** A folder with operator.pem, operator-key.pem and ca.pem, for calls of services. */
  readonly rpc_tls_dir?: string;
}

/** The profile that every machine has: the stack that `npm start` runs on it. It is not stored. */
export const LOCAL = 'local';

export function isProfileName(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(text);
}

/** The problems of a stored profile, without its values, which may be secret. Empty if there are none. */
export function profileProblems(value: unknown): string[] {
  if (!isObject(value)) return ['must be an object'];
  return Object.entries(value).flatMap(([name, member]) => {
    const problem = Object.hasOwn(MEMBERS, name) ? MEMBERS[name]?.(member) : 'is no setting of a profile';
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
}

type Check = (member: unknown) => string | undefined;

const MEMBERS: Readonly<Record<string, Check>> = {
  console_url: urlOf('http', 'https'),
  token: (member) => (isToken(member) ? undefined : 'must be a token'),
  base_url: urlOf('http', 'https'),
  gateway_url: urlOf('ws', 'wss'),
  addresses: addressProblem,
  rpc_tls_dir: (member) => (typeof member === 'string' && member !== '' ? undefined : 'must be a path'),
};

function urlOf(...protocols: readonly string[]): Check {
  return (member) =>
    typeof member === 'string' && isUrl(member, protocols)
      ? undefined
      : `must be a URL with ${protocols.map((one) => `${one}://`).join(' or ')}`;
}

/** Whether a text can be sent as a token. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]{1,1000}$/.test(text);
}

function addressProblem(member: unknown): string | undefined {
  if (!isObject(member)) return 'must be an object';
  const wrong = Object.entries(member).find(
    ([name, value]) => !SERVERS.some((server) => server === name) || !isAddressList(value),
  );
  return wrong && `has ${wrong[0]}, which must be a service with host:port, or several separated by commas`;
}

function isAddressList(value: unknown): boolean {
  return typeof value === 'string' && value.split(',').every(isHostPort);
}
