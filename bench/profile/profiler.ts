/**
 * Preloaded into a process (NODE_OPTIONS=--import): takes CPU profiles of its main thread. A Unix socket in the folder
 * PROFILE_SOCKETS, named after the process's ID, takes one command a connection: `start`, or the file to write the
 * profile to. It closes the connection when it is done.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { profilerSocket, START } from './profiler-socket.ts';

const SAMPLE_EVERY_US = 250;

async function run(session: Session, command: string): Promise<void> {
  if (command === START) {
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    await session.post('Profiler.start');
  } else {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(command, JSON.stringify(profile));
  }
}

const { PROFILE_SOCKETS: folder } = process.env;
if (isMainThread && folder !== undefined) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  const path = profilerSocket(folder, process.pid);
  rmSync(path, { force: true });
  createServer((socket) => {
    socket.once('data', (command: Buffer) => {
      void run(session, command.toString()).then(() => socket.end());
    });
  })
    .listen(path)
    .unref();
}
