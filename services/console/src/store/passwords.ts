import type { Pool, PoolClient } from 'pg';

/** What a sign-in by password needs. */
export interface PasswordRow {
  readonly password_hash: string;
  readonly totp_secret: Buffer;
}

/** Undefined for an unknown operator, and for one without a password. */
export async function findPassword(db: Pool, operator: string): Promise<PasswordRow | undefined> {
  const { rows } = await db.query<PasswordRow>({
    name: 'find_password',
    text: 'SELECT password_hash, totp_secret FROM operators WHERE name = $1 AND password_hash IS NOT NULL',
    values: [operator],
  });
  return rows[0];
}

/** Sets a password and TOTP. `step` is that of the code which proved the secret, and cannot be used again. */
export async function setPassword(
  tx: PoolClient,
  operator: string,
  { password_hash, totp_secret, step }: PasswordRow & { readonly step: number },
): Promise<void> {
  await tx.query({
    name: 'set_password',
    text: 'UPDATE operators SET password_hash = $2, totp_secret = $3, totp_step = $4 WHERE name = $1',
    values: [operator, password_hash, totp_secret, step],
  });
}

/**
 * Uses up the step of a code. Returns false if this step or a later one was used before, or if the operator has another
 * secret, or none, by now.
 */
export async function useTotpStep(
  tx: PoolClient,
  operator: string,
  { totp_secret, step }: { readonly totp_secret: Buffer; readonly step: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'use_totp_step',
    text: 'UPDATE operators SET totp_step = $2 WHERE name = $1 AND totp_step < $2 AND totp_secret = $3',
    values: [operator, step, totp_secret],
  });
  return rowCount === 1;
}
