import { Form } from '@gatehouse/kit/form';
import { readId } from '../form/fields.ts';

/** Maximum recipients of a group DM, including its opener (docs/guilds.md#limits). */
export const MAX_RECIPIENTS = 10;

/**
 * Reads the recipients, besides the caller, that a request to open a private channel names.
 *
 * @throws INVALID_FORM_BODY
 */
export function readRecipients(named: readonly string[], accountId: string): string[] {
  const form = new Form();
  for (const [index, id] of named.entries()) readId(form, `recipients.${index}`, id);
  const others = [...new Set(named)].filter((id) => id !== accountId);
  // A longer list was cut on the way here, so its content is not checked.
  if (others.length < 1 || others.length >= MAX_RECIPIENTS || named.length > MAX_RECIPIENTS) {
    form.fail('recipients', 'INVALID_FORMAT', `Must name 1 to ${MAX_RECIPIENTS - 1} others.`);
  }
  form.check();
  return others;
}
