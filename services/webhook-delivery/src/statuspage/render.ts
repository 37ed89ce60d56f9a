import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, valueAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { component } from './component.ts';
import { incident } from './incident.ts';
import { maintenance } from './maintenance.ts';

/**
 * Renders a status page's notification as an embed. The first section present is rendered; if it has nothing to show,
 * no other is tried (docs/webhooks.md#status-page-sections). It never throws: the payload may have any shape, and
 * missing or malformed members count as absent.
 */
export function renderStatuspage(payload: JsonObject): Rendering<EmbedInput> {
  if (isPresent(payload, 'incident')) return incident(payload);
  if (isPresent(payload, 'maintenance')) return maintenance(payload);
  return component(payload);
}

/** Any value but null counts as present, even one of a wrong type. */
function isPresent(payload: JsonObject, section: string): boolean {
  const value = valueAt(payload, section);
  return value !== undefined && value !== null;
}
