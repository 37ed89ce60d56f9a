import { printShown, type Shown } from '../../console/show-command.ts';
import { listOf, memberOf } from '../../json/members.ts';
import { type Column, cellOf, factOf, stoppedText, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints a webhook with its outcomes and failed executions. */
export function showWebhook(
  id: string,
  options: { readonly json?: boolean },
  runtime: Runtime,
): Promise<void> {
  return printShown({ path: `/webhooks/${id}`, shown }, options, runtime);
}

function shown(answer: unknown): Shown {
  const webhook = memberOf(answer, 'webhook');
  const outcome = (name: string) => factOf(answer, 'outcomes', name);
  return {
    facts: [
      ['ID', factOf(webhook, 'id')],
      ['name', factOf(webhook, 'name')],
      ['guild', factOf(webhook, 'guild_id')],
      ['channel', factOf(webhook, 'channel_id')],
      ['creator', factOf(webhook, 'creator_id')],
      ['creator suspended', factOf(webhook, 'creator_suspended')],
      ['disabled', stoppedText(webhook, 'disablement')],
      ['posted in 2 h', outcome('posted')],
      ['nothing in 2 h', outcome('nothing')],
      ['refused in 2 h', outcome('refused')],
      ['duplicate in 2 h', outcome('duplicate')],
    ],
    parts: [
      { title: 'Executions that posted nothing', items: listOf(answer, 'deliveries'), columns: DELIVERY },
    ],
  };
}

const DELIVERY: readonly Column[] = [
  ['TIME', (delivery) => timeOf(delivery, 'at_ms') ?? '-'],
  ['DIALECT', (delivery) => cellOf(delivery, 'dialect')],
  ['EVENT', (delivery) => cellOf(delivery, 'event')],
  ['OUTCOME', (delivery) => cellOf(delivery, 'outcome')],
  ['REASON', (delivery) => cellOf(delivery, 'reason')],
];
