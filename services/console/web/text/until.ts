import { durationText } from './numbers.ts';

/** How long it is until a time: "for 5 min"; "no longer" when it has passed. */
export function untilText(time_ms: number, now_ms: number): string {
  const left_ms = time_ms - now_ms;
  return left_ms <= 0 ? 'no longer' : `for ${durationText(Math.max(left_ms, 1_000))}`;
}
