import { type JsonObject, valueAt } from '../execution/json-object.ts';
import { lineAt } from '../execution/storable.ts';
import { findStatus } from './statuses.ts';

/** The status of the whole page, and whether `item` was created after the fact. */
export function footer(payload: JsonObject, item?: JsonObject): string | undefined {
  const pageStatus = lineAt(payload, 'page', 'status_description') ?? indicator(payload);
  const backfilled = valueAt(item, 'backfilled') === true ? 'Backfilled' : undefined;
  const parts = [pageStatus, backfilled].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' | ');
}

/** The label of a known status. Another word is made readable: "partially_down" becomes "Partially down". */
function indicator(payload: JsonObject): string | undefined {
  const value = lineAt(payload, 'page', 'status_indicator');
  return value === undefined ? undefined : (findStatus(value)?.label ?? capitalized(value));
}

function capitalized(value: string): string | undefined {
  const words = value
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? undefined : words.charAt(0).toUpperCase() + words.slice(1);
}
