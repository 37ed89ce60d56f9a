import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, objectAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { renderItem } from './item.ts';
import { NEUTRAL } from './statuses.ts';

export function incident(payload: JsonObject): Rendering<EmbedInput> {
  return renderItem(payload, objectAt(payload, 'incident'), { updates: 'incident_updates', color: NEUTRAL });
}
