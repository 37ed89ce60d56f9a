import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, objectAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { renderItem } from './item.ts';
import { MAINTENANCE } from './statuses.ts';
import { maintenanceWindow } from './window.ts';

export function maintenance(payload: JsonObject): Rendering<EmbedInput> {
  const item = objectAt(payload, 'maintenance');
  const window = item && maintenanceWindow(item);
  return renderItem(payload, item, { updates: 'maintenance_updates', color: MAINTENANCE, window });
}
