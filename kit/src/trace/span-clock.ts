/** A clock that was set, or a machine that slept. */
const MAX_OFF_MS = 5;

let offset_ms = performance.timeOrigin;

/** The time in milliseconds since 1970, with fractions, which Date.now() has not. */
export function spanTime_ms(): number {
  const now_ms = offset_ms + performance.now();
  const off_ms = Date.now() - now_ms;
  if (Math.abs(off_ms) <= MAX_OFF_MS) return now_ms;
  offset_ms += off_ms;
  return now_ms + off_ms;
}
