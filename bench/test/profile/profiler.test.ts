import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { expect, it, onTestFinished } from 'vitest';
import { stacksOf } from '../../profile/cpu-profile.ts';
import { START, tellProfiler } from '../../profile/profiler-socket.ts';

const PROFILER = new URL('../../profile/profiler.ts', import.meta.url).href;
const PROGRAM = `
  function work() {
    for (let n = 0; n < 1e6; n++) Math.hypot(n, n);
    console.log('worked');
    setImmediate(work);
  }
  work();
`;

it('profiles a process from the command to start until the command to write the profile', async () => {
  const { path: folder, remove } = await testDataFolder('profiler');
  onTestFinished(remove);
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    env: { ...process.env, NODE_OPTIONS: `--import=${PROFILER}`, PROFILE_SOCKETS: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');

  for (const file of [join(folder, 'first'), join(folder, 'second')]) {
    await tellProfiler(folder, child.pid ?? 0, START);
    for (let run = 0; run < 3; run++) await once(child.stdout, 'data'); // the first may have been written before
    await tellProfiler(folder, child.pid ?? 0, file);
    const stacks = stacksOf(JSON.parse(readFileSync(file, 'utf8')));
    expect(stacks.some(({ frames }) => frames.some(({ name }) => name === 'work'))).toBe(true);
  }
});
