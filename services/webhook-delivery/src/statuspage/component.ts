import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { lineAt } from '../execution/storable.ts';
import { footer } from './footer.ts';
import { notificationEmbed } from './notification-embed.ts';
import { NEUTRAL, statusOf } from './statuses.ts';
import { timeAt } from './time.ts';

/** The status change of a component: `component_update` has the change, `component` the new state. */
export function component(payload: JsonObject): Rendering<EmbedInput> {
  const update = objectAt(payload, 'component_update');
  const state = objectAt(payload, 'component');
  if (update === undefined && state === undefined) return { nothing: 'section_missing' };
  const name = lineAt(state, 'name') ?? 'A component';
  const value = lineAt(update, 'new_status') ?? lineAt(state, 'status');
  const status = value === undefined ? undefined : statusOf(value);
  const message = notificationEmbed({
    title: `${name} - ${status?.label ?? 'updated'}`,
    url: linkAt(payload, 'page', 'url'),
    color: status?.color ?? NEUTRAL,
    footer: footer(payload),
    time: timeAt(update, 'created_at') ?? timeAt(state, 'created_at'),
  });
  return { message };
}
