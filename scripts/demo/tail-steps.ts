import type { Message } from './api-objects.ts';
import { quote } from './call.ts';
import type { Scene } from './crew-steps.ts';
import { pushDelivery } from './push-delivery.ts';
import { type Stepper, showCommand } from './steps.ts';
import { watch } from './watch.ts';

/** A user watches the messages of a webhook live. `hook` is its URL, with its token. */
export async function runTailSteps({ step, title }: Stepper, scene: Scene, hook: string): Promise<void> {
  const { api, channel, guest } = scene;
  title('Ben watches "general" over the real-time Gateway, until Ctrl-C.');
  const base = api.replace(/\/api\/v1$/, '');
  showCommand(
    `GATEWAY_TOKEN=${quote(guest.token)} \\\n  npm run gatehouse -- tail --channel ${channel.id} --base-url ${quote(base)}`,
  );
  const watching = await watch({ api, token: guest.token, channel_id: channel.id });
  try {
    const posted = await step<Message>('Meanwhile the webhook is executed, and Ben sees it at once.', {
      method: 'POST',
      url: `${hook}?wait=true`,
      body: { content: 'T minus ten' },
    });
    await watching.nextEvent();
    await step('Its message is edited.', {
      method: 'PATCH',
      url: `${hook}/messages/${posted.id}`,
      body: { content: 'Lift-off!' },
    });
    await watching.nextEvent();
    await step(
      'A code host pushes.',
      {
        method: 'POST',
        url: `${hook}/codehost`,
        headers: { 'X-Codehost-Event': 'push' },
        body: pushDelivery(),
      },
      204,
    );
    await watching.nextEvent();
  } finally {
    await watching.end();
  }
}
