const HOUR_MS = 3_600_000;

/** The windows of the overview. */
export const WINDOWS = {
  '1h': { text: '1 hour', window_ms: HOUR_MS },
  '6h': { text: '6 hours', window_ms: 6 * HOUR_MS },
  '1d': { text: '1 day', window_ms: 24 * HOUR_MS },
  '7d': { text: '7 days', window_ms: 7 * 24 * HOUR_MS },
} as const;

export type WindowName = keyof typeof WINDOWS;

/** The window of an address; the last hour if it names none. */
export function windowOf(text: string | null): WindowName {
  return text !== null && text in WINDOWS ? (text as WindowName) : '1h';
}
