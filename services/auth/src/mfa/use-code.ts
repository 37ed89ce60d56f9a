import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { useBackupCode } from './backup-codes.ts';
import { isTotpCode, useTotp } from './totp.ts';

export interface OfferedCode {
  readonly account_id: string;
  readonly code: string;
  readonly caller: Caller;
}

/** The maximum length of a code, with blanks and dashes. */
const MAX_CODE_LENGTH = 64;

/**
 * Uses up a TOTP or backup code and returns its kind, or undefined if it is wrong or was used before. If the
 * transaction does not commit, the code is not used up.
 */
export async function useCode(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'clock'>,
  { account_id, code, caller }: OfferedCode,
): Promise<'totp' | 'backup_code' | undefined> {
  const plain = plainCode(code);
  if (isTotpCode(plain)) return (await useTotp(tx, deps, account_id, plain)) ? 'totp' : undefined;
  if (!(await useBackupCode(tx, deps, account_id, plain))) return undefined;
  await insertSecurityEvent(tx, deps.ids(), { kind: 'mfa.backup_code_used', account_id, caller });
  return 'backup_code';
}

/** A code without blanks and dashes. */
export function plainCode(code: string): string {
  return code.length > MAX_CODE_LENGTH ? '' : code.replace(/[\s\p{Dash_Punctuation}]+/gu, '');
}
