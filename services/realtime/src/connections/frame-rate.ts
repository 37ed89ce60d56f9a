/** Counts frames in a sliding window. Gives the function that counts one, and says whether it is still allowed. */
export function frameRate(max_frames: number, window_ms: number): (now: number) => boolean {
  const times: number[] = []; // of a client as it should be: two a minute
  return (now) => {
    while (times[0] !== undefined && times[0] <= now - window_ms) times.shift();
    if (times.length >= max_frames) return false;
    times.push(now);
    return true;
  };
}
