import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, objectAt, textAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { EVENTS } from './events.ts';

/**
 * Renders a code host's event as an embed, or returns why there is nothing to show (docs/webhooks.md#code-host-events).
 * It never throws: the payload may have any shape, and missing or malformed members count as absent.
 */
export function renderCodehost(event: string | null | undefined, payload: JsonObject): Rendering<EmbedInput> {
  const name = event?.trim() ?? '';
  if (name === '') return { nothing: 'event_missing' };
  const row = EVENTS.get(name);
  if (row === undefined) return { nothing: 'event_unknown' };
  if (objectAt(payload, 'repository') === undefined) return { nothing: 'repository_missing' };
  const { actions, needs = [], render } = row;
  if (actions !== undefined && !actions.includes(textAt(payload, 'action') ?? ''))
    return { nothing: 'action_not_shown' };
  if (needs.some((member) => objectAt(payload, member) === undefined)) return { nothing: 'incomplete' };
  return render(payload);
}
