import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectsAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { storableAt } from '../execution/storable.ts';
import { affectedComponents } from './affected-components.ts';
import { footer } from './footer.ts';
import { latestUpdate } from './latest-update.ts';
import { notificationEmbed } from './notification-embed.ts';
import { statusOf } from './statuses.ts';
import { timeAt } from './time.ts';

/** The differences between incidents and maintenances. */
interface ItemKind {
  /** The member with the updates. */
  readonly updates: string;
  /** The color if there is no status. */
  readonly color: number;
  /** The time window, such as that of a maintenance. */
  readonly window?: string | undefined;
}

/** Renders an incident or a maintenance. `item` is undefined if the member is not an object. */
export function renderItem(
  payload: JsonObject,
  item: JsonObject | undefined,
  kind: ItemKind,
): Rendering<EmbedInput> {
  const title = storableAt(item, 'name');
  if (item === undefined || title === undefined) return { nothing: 'name_missing' };
  const update = latestUpdate(objectsAt(item, kind.updates));
  const value = storableAt(item, 'status');
  const status = value === undefined ? undefined : statusOf(value);
  const message = notificationEmbed({
    title,
    url: linkAt(item, 'url') ?? linkAt(payload, 'page', 'url'),
    color: status?.color ?? kind.color,
    description: storableAt(update, 'markdown') ?? storableAt(update, 'body'),
    fields: [
      { name: 'Status', value: status?.label, inline: true },
      { name: 'Window', value: kind.window },
      { name: 'Affected components', value: affectedComponents(item, update) },
    ],
    footer: footer(payload, item),
    time: timeAt(update, 'created_at') ?? timeAt(item, 'updated_at') ?? timeAt(item, 'created_at'),
  });
  return { message };
}
