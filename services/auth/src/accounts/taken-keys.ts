import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { Form } from '@gatehouse/kit/form';
import { brieflyTaken } from '../errors.ts';
import { findTakenKeys } from '../store/accounts/accounts.ts';
import type { UniqueKeys } from '../store/accounts/unique-keys.ts';
import type { PrismaClient } from '../store/prisma.ts';

/** @throws INVALID_FORM_BODY with the form's violations, and one for each taken key */
export async function refuseTakenKeys(
  prisma: PrismaClient,
  keys: UniqueKeys,
  form = new Form(),
): Promise<void> {
  if (keys.email_key !== undefined || keys.username_key !== undefined) {
    const taken = await findTakenKeys(prisma, keys);
    if (taken.email_key !== undefined)
      form.fail('email', 'EMAIL_ALREADY_IN_USE', 'Belongs to another account.');
    if (taken.username_key !== undefined)
      form.fail('username', 'TAG_ALREADY_TAKEN', 'Belongs to another account.');
  }
  form.check();
}

/**
 * Runs a change that sets these keys. If a concurrent request takes one first, it throws like `refuseTakenKeys`.
 *
 * @throws INVALID_FORM_BODY, or SERVICE_UNAVAILABLE if the key is free again
 */
export async function reportTakenKeys<T>(
  prisma: PrismaClient,
  keys: UniqueKeys,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseTakenKeys(prisma, keys);
    throw brieflyTaken();
  }
}
