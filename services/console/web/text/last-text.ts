import { durationText } from './numbers.ts';

const NOW_MS = 2_000;

/** How long ago something happened last: "just now", "5 s ago", "3 min ago". */
export function lastText(time_ms: number, now_ms: number): string {
  const passed_ms = now_ms - time_ms;
  if (passed_ms < NOW_MS) return 'just now'; // the server's clock may be ahead
  return `${durationText(Math.floor(passed_ms / 1_000) * 1_000)} ago`;
}
