import { codePoints, Form } from '@gatehouse/kit/form';

const MAX_REASON = 512;

/**
 * The decoded X-Audit-Log-Reason header; null if it is absent or blank.
 *
 * @throws INVALID_FORM_BODY
 */
export function readReason(header: string | null | undefined): string | null {
  const form = new Form();
  const reason = decoded(header ?? '');
  if (reason === undefined || reason.includes('\0'))
    form.fail('X-Audit-Log-Reason', 'INVALID_FORMAT', 'Must be percent-encoded UTF-8 without NUL.');
  else if (codePoints(reason) > MAX_REASON)
    form.fail(
      'X-Audit-Log-Reason',
      'STRING_LENGTH_INVALID',
      `Must be at most ${MAX_REASON} characters long.`,
    );
  form.check();
  return reason === undefined || reason === '' ? null : reason;
}

function decoded(header: string): string | undefined {
  try {
    return decodeURIComponent(header).trim();
  } catch {
    return undefined;
  }
}
