import { type CodehostEvent, EVENTS } from '../codehost/events.ts';
import type { Reason } from '../store/delivery.ts';
import { REASONS } from './reasons.ts';

/**
 * Explains why an execution posted nothing, and what the event would need. Returns an unknown reason unchanged, since it
 * may come from another version of the service.
 */
export function explainReason(reason: string, event: string | null | undefined): string {
  if (!isReason(reason)) return reason;
  const detail = eventDetail(reason, event ?? '');
  return detail === undefined ? REASONS[reason].text : `${REASONS[reason].text} ${detail}`;
}

function isReason(word: string): word is Reason {
  return Object.hasOwn(REASONS, word);
}

function eventDetail(reason: Reason, event: string): string | undefined {
  if (reason === 'event_unknown' || reason === 'event_missing') {
    return `Events that are shown: ${[...EVENTS.keys()].toSorted().join(', ')}.`;
  }
  const row = EVENTS.get(event);
  return row && requirementsOf(reason, event, row);
}

function requirementsOf(
  reason: Reason,
  event: string,
  { actions, needs = [] }: CodehostEvent,
): string | undefined {
  switch (reason) {
    case 'action_not_shown': {
      const [first = '', ...more] = actions ?? [];
      return `${event} is shown for the action${more.length === 0 ? '' : 's'} ${[first, ...more].join(', ')}.`;
    }
    case 'incomplete': {
      const members = ['repository', ...needs, ...(event === 'push' ? ['ref', 'compare'] : [])];
      const quoted = members.map((name) => `"${name}"`).join(', ');
      return `${event} needs ${quoted}, and in them the members that the title shows.`;
    }
    default:
      return undefined;
  }
}
