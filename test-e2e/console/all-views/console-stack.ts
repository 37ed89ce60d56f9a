import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startStack } from '@gatehouse/stack/start-stack';
import { type ConsoleData, type ConsoleStack, createConsoleData } from './console-data.ts';

/** A stack with data for each view of the console. */
export interface FilledConsoleStack extends ConsoleStack {
  readonly data: ConsoleData;
  close(): Promise<void>;
}

const ENV = {
  CONSOLE_LOCAL_OPERATOR: 'yes',
  LOGIN_LOCATION_CHECK: 'off',
  TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
};

/** Starts it in this process, with metrics. Closes it if the data cannot be created. */
export async function startConsoleStack(): Promise<FilledConsoleStack> {
  const folder = await testDataFolder('console');
  const data_dir = folder.path;
  const { PATH, HOME } = process.env;
  const running = await startStack({
    port: 0,
    data_dir,
    one_process: true,
    metrics: true,
    env: { PATH, HOME, ...ENV },
  });
  const { console_url } = running;
  const url = new URL(running.url).origin;
  const close = () => running.close().then(folder.remove);
  try {
    const data = await createConsoleData({ url, console_url, data_dir });
    return { url, console_url, data_dir, data, close };
  } catch (error) {
    await close();
    throw error;
  }
}
