import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { Form } from '@gatehouse/kit/form';
import { nameConflict } from '../errors.ts';
import { findTakenNames } from '../store/accounts/accounts.ts';
import type { AccountKeys } from '../store/encryption/account-keys.ts';
import type { PrismaClient } from '../store/prisma.ts';

/** @throws INVALID_FORM_BODY with a violation for each taken name, after those that the form already has */
export async function refuseTakenNames(
  prisma: PrismaClient,
  keys: AccountKeys,
  form = new Form(),
): Promise<void> {
  if (keys.email_key !== undefined || keys.username_key !== undefined) {
    const taken = await findTakenNames(prisma, keys);
    if (taken.email_key !== undefined)
      form.fail('email', 'EMAIL_ALREADY_IN_USE', 'Belongs to another account.');
    if (taken.username_key !== undefined)
      form.fail('username', 'TAG_ALREADY_TAKEN', 'Belongs to another account.');
  }
  form.check();
}

/**
 * Runs a change that sets these names. If a concurrent request takes one first, it throws like `refuseTakenNames`.
 *
 * @throws INVALID_FORM_BODY, or SERVICE_UNAVAILABLE if the name is free again
 */
export async function reportTakenNames<T>(
  prisma: PrismaClient,
  keys: AccountKeys,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseTakenNames(prisma, keys);
    throw nameConflict();
  }
}
