import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

/** The command that starts a profile. */
export const START = 'start';

/** The path of the socket that controls a process's profiler. */
export function profilerSocket(folder: string, pid: number): string {
  return join(folder, `${pid}.sock`);
}

/** Sends a command to a process's profiler, and waits until it has carried it out. */
export async function tellProfiler(folder: string, pid: number, command: string): Promise<void> {
  const socket = connect(profilerSocket(folder, pid));
  await once(socket, 'connect');
  socket.resume().write(command);
  await once(socket, 'close');
}
