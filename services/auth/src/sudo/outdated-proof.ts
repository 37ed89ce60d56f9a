import type { Fault } from '@gatehouse/kit/fault';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Deps } from '../deps.ts';
import { sudoRequired } from '../errors.ts';
import { sudoMethods, sudoStanding } from './sudo.ts';

/**
 * What is wrong when somebody changed the password between a request's proof and its work: they prove
 * again who they are.
 * @throws UNAUTHORIZED when the session has ended since
 */
export async function outdatedProof(deps: Pick<Deps, 'db'>, caller: Caller): Promise<Fault> {
  const { has_mfa, ...methods } = sudoMethods(await sudoStanding(deps, caller));
  return sudoRequired(has_mfa, methods);
}
