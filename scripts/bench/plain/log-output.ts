import { type DestinationStream, pino } from 'pino';

let standard: DestinationStream | undefined;

/** Standard output as pino's own destination writes it. */
export function standardOutput(): DestinationStream {
  if (standard !== undefined) return standard;
  const output = pino.destination({ dest: 1, minLength: 4096, sync: true });
  setInterval(() => output.flush(), 1_000).unref();
  process.on('exit', () => output.flushSync());
  standard = output;
  return output;
}
