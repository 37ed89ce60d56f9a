import type { Override } from '@gatehouse/proto/ratelimit-admin';
import { countText, windowText } from '../text/numbers.ts';

/** An override in words: "exempt", or "500 per 1 min". */
export function overrideText({ exempt, limit, window_seconds }: Override): string {
  if (exempt) return 'exempt';
  return `${countText(limit ?? 0)}${window_seconds ? ` per ${windowText(window_seconds)}` : ''}`;
}
