import { join } from 'node:path';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';
import type { Deps } from '../deps.ts';
import { insertOperator, lockOperator } from '../store/operators.ts';
import { newLink, newToken } from './change-operators.ts';

/** The operator of a console on one's own machine. */
export const LOCAL_OPERATOR = 'local';

/** How people and commands of this machine act as the operator `local`. */
export interface LocalAccess {
  /** A one-time link; once `local` has a factor, the address of the console. */
  readonly link: string;
  /** For commands. It replaces the one before. */
  readonly token: string;
}

/** Makes the operator `local`, if there is none, with a token, and with a one-time link while it has no factor. */
export function prepareLocalOperator({ db, url }: Pick<Deps, 'db' | 'url'>): Promise<LocalAccess> {
  return inTransaction(db, async (tx) => {
    await insertOperator(tx, { name: LOCAL_OPERATOR, role: 'admin' });
    const local = await lockOperator(tx, LOCAL_OPERATOR);
    const has_factor = local === undefined || local.totp || local.passkeys > 0;
    return {
      link: has_factor ? url() : await newLink(tx, LOCAL_OPERATOR, url()),
      token: await newToken(tx, LOCAL_OPERATOR),
    };
  });
}

/** Writes both for this user alone: no log may have them. */
export function writeLocalAccess(dir: string, { link, token }: LocalAccess): void {
  writeFilesAtomically([
    { path: join(dir, 'link'), text: `${link}\n` },
    { path: join(dir, 'token'), text: `${token}\n` },
  ]);
}
