import type { OutcomeCounts } from '@gatehouse/proto/webhook-delivery-admin';

/** The executions of a webhook, with every outcome. */
export function executionsOf(outcomes: OutcomeCounts | null | undefined): number {
  if (!outcomes) return 0;
  const { posted, nothing, refused, duplicate } = outcomes;
  return posted + nothing + refused + duplicate;
}

/** The outcomes with their names and what they mean. */
export const OUTCOMES = [
  { name: 'posted', text: 'Posted', about: 'a message was posted' },
  { name: 'nothing', text: 'Nothing to post', about: 'accepted without a message' },
  { name: 'refused', text: 'Refused', about: 'by a limit, a bad form or a disablement' },
  { name: 'duplicate', text: 'Duplicate', about: 'a repetition of an earlier delivery' },
] as const satisfies readonly { name: keyof OutcomeCounts; text: string; about: string }[];
