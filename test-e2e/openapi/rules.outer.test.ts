import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import type { Channel, Guild, Message, Role, Webhook } from '../support/objects.ts';
import { freshAddress } from '../support/people.ts';
import { UNLIMITED, useSharedStack } from '../support/stack.ts';
import { boundaryValues } from './boundary-values.ts';
import { DOCUMENT, type Json, OPERATIONS, resolve, type Schema } from './document.ts';
import { ExampleSender } from './example-sender.ts';
import { type Character, newCharacter } from './stories/world.ts';

const stack = useSharedStack(UNLIMITED);
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dt/i, uri: URL.canParse } });
ajv.addSchema(DOCUMENT, 'openapi.json');

/** Operations with a valid body that each value is added to. */
const BODIES: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  createGuild: { name: 'guild' },
  updateGuild: {},
  createChannel: { name: 'channel' },
  updateChannel: {},
  updateChannelPositions: {},
  putOverwrite: { type: 0 },
  createRole: {},
  updateRole: {},
  updateRolePositions: {},
  updateOwnMember: {},
  updateMember: {},
  createInvite: {},
  openPrivateChannel: {},
  createMessage: { content: 'text' },
  updateMessage: { content: 'text' },
  createWebhook: { name: 'webhook' },
  updateWebhook: {},
  updateTokenWebhook: {},
  executeWebhook: { content: 'text' },
  updateWebhookMessage: { content: 'text' },
};

/** Members that a valid form alone does not make valid: pictures, and IDs of what must exist. */
const MORE_THAN_FORM =
  /^(avatar|banner|icon|recipients|roles|(owner|parent|channel)_id|permission_overwrites|positions)$/;

/** The components whose members had their turn. */
const seen = new Set<string>();
let ann: Character;
let path: Readonly<Record<string, string>>;

beforeAll(async () => {
  const api = stack.api.from(freshAddress());
  ann = await newCharacter({ stack, api, examples: new ExampleSender(api) });
  const guild = await expectOk<Guild>(ann.api.post('/guilds', { name: 'guild' }));
  const [channel] = await expectOk<Channel[]>(ann.api.get(`/guilds/${guild.id}/channels`));
  const channel_id = channel?.id ?? '';
  const role = await expectOk<Role>(ann.api.post(`/guilds/${guild.id}/roles`, {}));
  const webhook = await expectOk<Webhook>(ann.api.post(`/channels/${channel_id}/webhooks`, { name: 'w' }));
  path = {
    guild_id: guild.id,
    channel_id,
    role_id: role.id,
    overwrite_id: role.id,
    user_id: ann.id,
    webhook_id: webhook.id,
    token: webhook.token,
  };
});

describe('a body of openapi.json', () => {
  it.each(Object.keys(BODIES))(
    'is refused by %s if, and only if, its schema refuses it',
    async (operation) => {
      const sender = await bodySender(operation);
      const bodies = bodiesOf(operation, sender.schema);
      for (const { body, member } of bodies) {
        const isValid = sender.isValid(body);
        if (isValid && MORE_THAN_FORM.test(member)) continue;
        const { answer, refused } = await sender.send(body, member);
        const what = `${operation} with ${JSON.stringify(body).slice(0, 200)} answers ${answer}`;
        expect(refused ? 'refused' : 'taken', what).toBe(isValid ? 'taken' : 'refused');
      }
      expect(bodies.some(({ body }) => !sender.isValid(body))).toBe(true);
    },
  );
});

/** The operation's valid body, with one member of another value. */
function bodiesOf(
  operation: string,
  schema: Schema,
): { readonly body: { readonly [name: string]: Json }; readonly member: string }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, rules]) =>
    boundaryValues(rules, seen).map((value) => ({ body: { ...BODIES[operation], [member]: value }, member })),
  );
}

async function bodySender(operationId: string) {
  const place = OPERATIONS.get(operationId);
  if (place === undefined) throw new Error(`the document has no operation ${operationId}`);
  const { $ref = '' } = place.operation.requestBody?.content['application/json']?.schema ?? {};
  const validate = ajv.compile({ $ref: `openapi.json${$ref}` });
  const message_id = operationId.endsWith('Message') ? await postMessage(operationId) : '';
  const values: Readonly<Record<string, string>> = { ...path, message_id };
  const target = place.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return {
    schema: resolve({ $ref }),
    isValid: (body: Json) => validate(body),
    /** Sends a body. It is refused if there is a violation at the member, or of the body as a whole. */
    send: async (body: Json, member: string) => {
      const { status, text } = await ann.api.send(place.method.toUpperCase(), target, { body });
      expect(status, `${operationId}: ${text}`).toBeLessThan(500);
      const { errors = [] } = text === '' ? {} : (JSON.parse(text) as { errors?: { path: string }[] });
      const refused = errors.some((one) => one.path === 'root' || one.path.split('.')[0] === member);
      return { answer: `${status} ${text}`, refused };
    },
  };
}

/** A message of Ann, or of the webhook. It has an embed, so that an edit may clear its text. */
async function postMessage(operationId: string): Promise<string> {
  const target = operationId.includes('Webhook')
    ? `/webhooks/${path.webhook_id}/${path.token}?wait=true`
    : `/channels/${path.channel_id}/messages`;
  return (await expectOk<Message>(ann.api.post(target, { content: 'text', embeds: [{ title: 'title' }] })))
    .id;
}
