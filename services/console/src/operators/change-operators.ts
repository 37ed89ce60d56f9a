import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { AddOperatorResponse, UpdateOperatorResponse } from '@gatehouse/proto/console';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { fault, unknownOperator } from '../errors.ts';
import type { ActionResult } from '../log/perform.ts';
import type { Role } from '../role.ts';
import { newOperatorToken, newSecret, secretHash } from '../secrets.ts';
import { replaceLink } from '../store/links.ts';
import {
  deleteOperator,
  findOperator,
  insertOperator,
  lockOperator,
  type OperatorRow,
  removeFactors,
  updateRole,
} from '../store/operators.ts';
import { replaceToken } from '../store/tokens.ts';
import { operatorView } from './operator-view.ts';

type Needed = Pick<Deps, 'db' | 'url'>;

export interface NewOperator {
  readonly name: string;
  readonly role: Role;
  /** Whether to make a token for the command line too. */
  readonly with_token: boolean;
}

/**
 * Makes an operator with a one-time link.
 *
 * @throws OPERATOR_EXISTS
 */
export function addOperator(
  { db, url }: Needed,
  { name, role, with_token }: NewOperator,
): Promise<ActionResult<AddOperatorResponse>> {
  return inTransaction(db, async (tx) => {
    if (!(await insertOperator(tx, { name, role }))) throw fault('OPERATOR_EXISTS');
    const link = await newLink(tx, name, url());
    const token = with_token ? await newToken(tx, name) : undefined;
    const operator = operatorView(await existing(tx, name));
    return {
      answer: { operator, link, token },
      after: operator,
      detail: { with_token },
    };
  });
}

export interface OperatorChange {
  /** Undefined: unchanged. */
  readonly role: Role | undefined;
  /** Removes second factors and ends sessions. */
  readonly new_link: boolean;
  readonly new_token: boolean;
}

/** @throws UNKNOWN_OPERATOR */
export function updateOperator(
  { db, url }: Needed,
  name: string,
  { role, new_link, new_token }: OperatorChange,
): Promise<ActionResult<UpdateOperatorResponse>> {
  return inTransaction(db, async (tx) => {
    const locked = await lockOperator(tx, name);
    if (locked === undefined) throw unknownOperator();
    if (role !== undefined) await updateRole(tx, name, role);
    if (new_link) await removeFactors(tx, name);
    const link = new_link ? await newLink(tx, name, url()) : undefined;
    const token = new_token ? await newToken(tx, name) : undefined;
    const operator = operatorView(await existing(tx, name));
    return {
      answer: { operator, link, token },
      before: operatorView(locked),
      after: operator,
      detail: { new_link, new_token },
    };
  });
}

/** @throws UNKNOWN_OPERATOR */
export function removeOperator({ db }: Pick<Deps, 'db'>, name: string): Promise<ActionResult> {
  return inTransaction(db, async (tx) => {
    const locked = await lockOperator(tx, name);
    if (locked === undefined || !(await deleteOperator(tx, name))) throw unknownOperator();
    return { answer: {}, before: operatorView(locked) };
  });
}

/** A page that uses up the token of its fragment, which browsers send to no server. */
export async function newLink(tx: PoolClient, operator: string, url: string): Promise<string> {
  const secret = newSecret();
  await replaceLink(tx, operator, secretHash(secret));
  return `${url}/link#${secret}`;
}

/** A token for the command line, which replaces the one before. */
export async function newToken(tx: PoolClient, operator: string): Promise<string> {
  const token = newOperatorToken();
  await replaceToken(tx, operator, secretHash(token));
  return token;
}

async function existing(tx: PoolClient, name: string): Promise<OperatorRow> {
  const row = await findOperator(tx, name);
  if (row === undefined) throw unknownOperator();
  return row;
}
