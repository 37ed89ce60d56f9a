import type { Logger } from '@gatehouse/kit/log';
import type { LineWriter } from '../../../kit/src/log.ts';

export * from '../../../kit/src/log.ts';

/** The one line a request, written by pino. */
export function lineWriter(log: Logger, message: string): LineWriter {
  const lines = log.child({}, { redact: [] });
  return (request_id, what, status, ms) => {
    const { method, route } = membersOf(what);
    lines.info({ request_id, method, route, status, ms: Math.round(ms * 1000) / 1000 }, message);
  };
}

const known = new Map<string, { method: string; route: string }>();

/** As if the caller had passed them. */
function membersOf(what: string): { method: string; route: string } {
  const found = known.get(what);
  if (found !== undefined) return found;
  const members = JSON.parse(`{${what.slice(1)}}`);
  known.set(what, members);
  return members;
}
