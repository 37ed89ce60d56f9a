import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startStack } from '@gatehouse/stack/start-stack';
import { createDemoData, type DemoData } from './demo-data.ts';

/** A stack with demo data, for commands. */
export interface PagesStack {
  readonly url: string;
  readonly data: DemoData;
  close(): Promise<void>;
}

/** Without limits, and with the pages for developers. */
const ENV = {
  LOGIN_LOCATION_CHECK: 'off',
  NODE_ENV: 'development',
  RATE_LIMITS: 'off',
  TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
};

/** Starts it in this process. Closes it if the data cannot be created. */
export async function startPagesStack(): Promise<PagesStack> {
  const folder = await testDataFolder('pages');
  const { PATH, HOME } = process.env;
  const running = await startStack({
    host: 'localhost',
    port: 0,
    data_dir: folder.path,
    one_process: true,
    env: { PATH, HOME, ...ENV },
  });
  const url = new URL(running.url).origin;
  const close = () => running.close().then(folder.remove);
  try {
    return { url, data: await createDemoData(url), close };
  } catch (error) {
    await close();
    throw error;
  }
}
