/** A larger drift means that the clock was set, or that the machine was suspended. */
const MAX_DRIFT_MS = 5;

let offset_ms = performance.timeOrigin;

/** Milliseconds since the Unix epoch, with fractions, which Date.now() lacks. */
export function spanTime_ms(): number {
  const now_ms = offset_ms + performance.now();
  const off_ms = Date.now() - now_ms;
  if (Math.abs(off_ms) <= MAX_DRIFT_MS) return now_ms;
  offset_ms += off_ms;
  return now_ms + off_ms;
}
