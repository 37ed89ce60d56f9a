import type { Message, Webhook } from './api-objects.ts';
import { type Answer, curl, send } from './call.ts';
import type { Scene } from './crew-steps.ts';
import { DemoError } from './demo-error.ts';
import { pushDelivery } from './push-delivery.ts';
import { type Stepper, showAnswer, showCommand } from './steps.ts';
import { say } from './terminal.ts';

const RELEASE_MESSAGE = {
  content: 'Version 2.0 is on its way <up>',
  embeds: [
    {
      title: 'Release 2.0',
      url: 'https://code.example/acme/rocket/releases/2.0',
      description: 'Faster, lighter, and it lands.',
      color: 0x3ecf8e,
      fields: [
        { name: 'Tests', value: '412 passed', inline: true },
        { name: 'Weight', value: '−3 %', inline: true },
      ],
      footer: { text: 'build 71' },
    },
  ],
};
const CHAT_TOOL_ALERT = {
  username: 'Monitoring',
  text: 'Fuel pressure is low',
  attachments: [
    {
      color: '#e23c39',
      title: 'Tank 2',
      text: '1.2 bar',
      fields: [{ title: 'Limit', value: '1.5 bar', short: true }],
    },
  ],
};
const INCIDENT = {
  name: 'Telemetry is late',
  status: 'monitoring',
  incident_updates: [{ markdown: 'The antenna was **turned**.', created_at: '2026-05-01T10:00:00Z' }],
  components: [{ name: 'Antenna', status: 'degraded_performance' }],
};

/** Posts by every kind of webhook request, up to the first denial. Returns the URL of a webhook, with its token. */
export async function runWebhookSteps(stepper: Stepper, scene: Scene): Promise<string> {
  const hook = await createWebhook(
    stepper,
    scene,
    'Ada creates a webhook in "general". Its ID and token are all that posting needs.',
    'Deploys',
  );
  await execute(stepper, scene, hook);
  await postForeignPayloads(stepper, hook);
  const second = await createWebhook(
    stepper,
    scene,
    'Create a second webhook, to exceed its limit.',
    'Chatterbox',
  );
  await exhaustLimit(stepper, second);
  return hook;
}

async function createWebhook(
  { step }: Stepper,
  { api, channel, token }: Scene,
  text: string,
  name: string,
): Promise<string> {
  const url = `${api}/channels/${channel.id}/webhooks`;
  const webhook = await step<Webhook>(text, { method: 'POST', url, token, body: { name } });
  return `${api}/webhooks/${webhook.id}/${webhook.token}`;
}

async function execute({ step }: Stepper, { api, channel, token }: Scene, hook: string): Promise<void> {
  const posted = await step<Message>('Execute it, and wait for the message.', {
    method: 'POST',
    url: `${hook}?wait=true`,
    body: RELEASE_MESSAGE,
  });
  await step('Read it back by the webhook’s token.', { method: 'GET', url: `${hook}/messages/${posted.id}` });
  await step('Ada answers as a person.', {
    method: 'POST',
    url: `${api}/channels/${channel.id}/messages`,
    token,
    body: { content: 'Godspeed!' },
  });
}

/** Payloads of a chat tool, a code host and a status page. */
async function postForeignPayloads({ step }: Stepper, hook: string): Promise<void> {
  await step('Post as a chat tool’s alert would.', {
    method: 'POST',
    url: `${hook}/chatcompat`,
    body: CHAT_TOOL_ALERT,
  });
  await step(
    'Post as a code host’s push would.',
    {
      method: 'POST',
      url: `${hook}/codehost`,
      headers: { 'X-Codehost-Event': 'push' },
      body: pushDelivery(),
    },
    204,
  );
  await step(
    'Post as a status page’s notification would.',
    { method: 'POST', url: `${hook}/statuspage`, body: { incident: INCIDENT } },
    204,
  );
}

async function exhaustLimit({ title }: Stepper, url: string): Promise<void> {
  title('Execute it until it is denied: 60 at once, then one a second.');
  const first = { method: 'POST', url, body: { content: 'Are we there yet?' } } as const;
  const command = curl(first).replace('curl -s', "curl -s -o /dev/null -w '%{http_code} '");
  showCommand(`for n in $(seq 61); do\n${command};\ndone`);
  const { admitted, denial } = await untilDenied(() => send(first));
  say(`   ${admitted} times 204, then:`);
  showAnswer(denial);
  for (const [name, value] of denial.headers) {
    if (/^(retry-after|x-ratelimit-)/.test(name)) say(`   ${name}: ${value}`);
  }
}

async function untilDenied(call: () => Promise<Answer>): Promise<{ admitted: number; denial: Answer }> {
  for (let admitted = 0; admitted < 500; admitted += 1) {
    const answer = await call();
    if (answer.status === 429) return { admitted, denial: answer };
    if (answer.status !== 204)
      throw new DemoError(`Expected 204 or 429, got ${answer.status}: ${answer.text}`);
  }
  throw new DemoError('500 executions and no denial: are the rate limits off?');
}
