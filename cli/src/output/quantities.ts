/** Microseconds as text, rounded up: to milliseconds, from a minute on to seconds, from an hour on to minutes. */
export function duration(us: number): string {
  const ms = Math.ceil(us / 1000);
  if (ms < 60_000) return `${ms % 1000 === 0 ? ms / 1000 : (ms / 1000).toFixed(3)} s`;
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function count(number: number): string {
  return number.toLocaleString('en');
}

export function tokens(number: number): string {
  return number === 1 ? '1 token' : `${count(number)} tokens`;
}

export function permits(number: number): string {
  return number === 1 ? '1 permit' : `${count(number)} permits`;
}

/** Bytes in KiB, from 1 MiB on in MiB. */
export function binarySize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
}
