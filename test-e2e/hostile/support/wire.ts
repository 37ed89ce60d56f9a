import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Target } from '../attacks/attack.ts';

const CONNECT_WITHIN_MS = 5_000;

/** Opens a connection from this address; undefined if it is refused or not accepted in time. */
export function connectFrom({ host, port }: Target, from: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, localAddress: from, noDelay: true, allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(), CONNECT_WITHIN_MS);
    socket.on('error', () => undefined); // its 'close' follows
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

/**
 * Writes and waits for the drain, so that the attacker's own memory stays small. False if the connection is not
 * writable any more, or on abort.
 */
export async function writeDrained(
  socket: Socket,
  bytes: Buffer | string,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted || !socket.writable) return false;
  if (!socket.write(bytes)) return drained(socket, signal);
  await nextTurn();
  return socket.writable && !signal.aborted;
}

function drained(socket: Socket, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (goOn: boolean) => () => {
      socket.off('drain', yes).off('close', no);
      signal.removeEventListener('abort', no);
      resolve(goOn);
    };
    const yes = settle(true);
    const no = settle(false);
    socket.once('drain', yes).once('close', no);
    signal.addEventListener('abort', no, { once: true });
  });
}

/** Resolves when the connection is closed, or on abort. */
export function untilClosed(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed || signal.aborted) return resolve();
    const settle = () => {
      socket.off('close', settle);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    socket.once('close', settle);
    signal.addEventListener('abort', settle, { once: true });
  });
}

/** This many loopback addresses, each in its own /24 block; calls with distinct ranges do not overlap. */
export function loopbackAddresses(count: number, first = 0): string[] {
  return Array.from({ length: count }, (_, n) => `127.${100 + ((first + n) >> 8)}.${(first + n) & 255}.7`);
}
