import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../execution/rendering.ts';
import { objectAt, type Untyped } from '../execution/untyped.ts';
import { renderItem } from './item.ts';
import { NEUTRAL } from './statuses.ts';

export function incident(payload: Untyped): Rendering<EmbedInput> {
  return renderItem(payload, objectAt(payload, 'incident'), { updates: 'incident_updates', color: NEUTRAL });
}
