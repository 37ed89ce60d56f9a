import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import { withoutCommand } from './connect.ts';
import { refusalOf } from './probe.ts';

/** Logs the server's error replies, at most once a second. */
export function failureLog(log: Logger): (error: unknown) => void {
  const logRefusals = throttledLog((commands: number, error: unknown) =>
    log.error({ err: withoutCommand(error), commands }, `redis refuses commands: ${reasonOf(error)}`),
  );
  return (error) => {
    if (isErrorReply(error)) logRefusals(error);
  };
}

function isErrorReply(error: unknown): error is Error {
  const root = error instanceof Fault ? error.cause : error;
  return root instanceof Error && root.name === 'ReplyError';
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/\bOOM\b/.test(message)) return 'it has no memory left (OOM), raise its maxmemory';
  return refusalOf(error) ?? message.replace(/ .*/s, '');
}
