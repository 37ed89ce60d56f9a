import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from '@gatehouse/dev-env/die-with-parent';
import { type Client, connect } from '@gatehouse/kit/rpc';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Config } from '../src/config.ts';

const REPLICA = fileURLToPath(new URL('./fixtures/replica.ts', import.meta.url));

/** A replica in a process of its own, which can be killed. */
export async function startProcess(
  config: Config,
): Promise<{ client: Client<typeof WebhookDeliveryServiceDefinition>; kill(): Promise<void> }> {
  const [command, args] = dieWithParent('KILL', process.execPath, [REPLICA, JSON.stringify(config)]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    ended.then(() => reject(new Error('a replica ended before it was ready')), reject);
  });
  const connection = connect(WebhookDeliveryServiceDefinition, { address });
  return {
    client: connection.client,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      connection.close();
    },
  };
}
