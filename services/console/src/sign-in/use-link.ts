import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Deps } from '../deps.ts';
import { LOCAL_OPERATOR } from '../operators/local-operator.ts';
import { isSecret, newSecret, secretHash } from '../secrets.ts';
import { findLink, useLink } from '../store/links.ts';
import { lockOperator } from '../store/operators.ts';
import { insertSession } from '../store/sessions.ts';
import { openSession } from './sessions.ts';

/** What a link led to. */
export interface UsedLink {
  /** `enrol`: the session may set up how to sign in. `sign_in`: the operator has set that up already. */
  readonly state: 'signed_in' | 'enrol' | 'sign_in';
  readonly name: string;
  /** Of the session, if there is one. */
  readonly token: string | undefined;
}

export interface LinkUse {
  readonly link_token: string;
  readonly ip: string;
  /** Whether a program on this machine asks. */
  readonly is_local: boolean;
}

/**
 * Uses up a one-time link. It opens a session that may do nothing but set up how to sign in; on this machine, the link
 * of the operator `local` signs in.
 *
 * @throws UNAUTHORIZED for a link that is unknown, used or expired
 */
export function openLink(
  { db, config, wrong_sign_ins }: Pick<Deps, 'db' | 'config' | 'wrong_sign_ins'>,
  { link_token, ip, is_local }: LinkUse,
): Promise<UsedLink> {
  const succeed = wrong_sign_ins.begin({ ip });
  return inTransaction(db, async (tx) => {
    const link = secretHash(link_token);
    const name = isSecret(link_token) ? await findLink(tx, link) : undefined;
    // Changes of an operator lock it first, too. In another order they and this would wait for each other.
    const operator = name === undefined ? undefined : await lockOperator(tx, name);
    if (operator === undefined || !(await useLink(tx, link))) throw unauthorized();
    succeed();
    if (operator.totp || operator.passkeys > 0)
      return { state: 'sign_in', name: operator.name, token: undefined };
    if (is_local && config.local_operator && operator.name === LOCAL_OPERATOR) {
      const token = await openSession(tx, { operator: operator.name, ip }, 'link');
      return { state: 'signed_in', name: operator.name, token };
    }
    const token = newSecret();
    await insertSession(tx, { token_hash: secretHash(token), operator: operator.name, ip, enrolling: true });
    return { state: 'enrol', name: operator.name, token };
  });
}
