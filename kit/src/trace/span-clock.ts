/** The largest drift before the clock was set, or the machine slept. */
const MAX_OFF_MS = 5;

let offset_ms = performance.timeOrigin;

/** Milliseconds since the Unix epoch, with fractions, which Date.now() lacks. */
export function spanTime_ms(): number {
  const now_ms = offset_ms + performance.now();
  const off_ms = Date.now() - now_ms;
  if (Math.abs(off_ms) <= MAX_OFF_MS) return now_ms;
  offset_ms += off_ms;
  return now_ms + off_ms;
}
