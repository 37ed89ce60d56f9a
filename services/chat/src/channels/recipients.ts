import { Form } from '@gatehouse/kit/form';
import { readId } from '../form/fields.ts';

/** People in a group DM, with its opener (docs/guilds.md#limits). */
export const MAX_RECIPIENTS = 10;

/** The others that a request to open a private channel names: at least one. @throws INVALID_FORM_BODY */
export function readRecipients(named: readonly string[], accountId: string): string[] {
  const form = new Form();
  for (const [index, id] of named.entries()) readId(form, `recipients.${index}`, id);
  const others = [...new Set(named)].filter((id) => id !== accountId);
  // A longer list is cut on its way here, so it cannot be judged by whom it names.
  if (others.length < 1 || others.length >= MAX_RECIPIENTS || named.length > MAX_RECIPIENTS) {
    form.fail('recipients', 'INVALID_FORMAT', `Must name 1 to ${MAX_RECIPIENTS - 1} others.`);
  }
  form.check();
  return others;
}
