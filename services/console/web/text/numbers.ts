const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A count: "12,345". */
export function countText(count: number): string {
  return NUMBERS.format(count);
}

/** A count that ends at a maximum: "12,345", "10,000 or more". */
export function cappedText(count: number, max: number): string {
  return count >= max ? `${countText(max)} or more` : countText(count);
}

/** A rate per second, with as many digits as say something: "0.04", "3.1", "240". */
export function rateText(per_second: number): string {
  if (per_second === 0) return '0';
  if (per_second < 0.01) return '< 0.01';
  if (per_second < 1) return String(Number(per_second.toFixed(2)));
  if (per_second < 100) return String(Number(per_second.toFixed(1)));
  return countText(per_second);
}

/** A duration in the unit that fits: "0.8 ms", "120 ms", "1.5 s", "3 min", "2 h", "4 d". */
export function durationText(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 48 * 3_600_000) return `${Number((ms / 3_600_000).toFixed(1))} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** A whole number of seconds, exactly, in the unit that fits: "30 s", "1 min", "24 h". */
export function windowText(seconds: number): string {
  if (seconds % 3_600 === 0) return `${countText(seconds / 3_600)}\u00a0h`;
  if (seconds % 60 === 0) return `${countText(seconds / 60)}\u00a0min`;
  return `${countText(seconds)}\u00a0s`;
}

/** A part of a whole: "0 %", "0.3 %", "12 %". */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** A noun with its number: "1 session", "3 sessions". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
