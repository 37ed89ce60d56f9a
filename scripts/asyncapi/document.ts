import { readFileSync } from 'node:fs';
import { messageSchema } from '@gatehouse/kit/json';
import { ENCODING, VERSION } from '@gatehouse/realtime/protocol';
import { readContractComments } from '../api-reference/contract-comments.ts';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { MessageSchemas } from '../openapi/message-schemas.ts';
import { Problems } from '../openapi/problems.ts';
import { SNOWFLAKES } from '../openapi/snowflakes.ts';
import { closeCodes } from './close-codes.ts';
import { examplesOf } from './examples.ts';
import { limits } from './limits.ts';
import { type FrameMessage, frameMessages } from './messages.ts';
import { CONTRACTS, PAYLOADS } from './payloads.ts';

/** gateway/asyncapi.json: the description of the Gateway in AsyncAPI 3.0. */
export function asyncApiText(): string {
  return `${JSON.stringify(asyncApiDocument(), null, 2)}\n`;
}

export function asyncApiDocument(): JsonSchema {
  const messages = frameMessages();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Gatehouse Gateway',
      version: version(),
      description: DESCRIPTION,
    },
    defaultContentType: 'application/json',
    servers: { gateway: SERVER },
    channels: { gateway: channel(messages) },
    operations: {
      receive: operation('receive', 'The frames that a client sends.', messages, 'client'),
      send: operation('send', 'The frames that the server sends.', messages, 'server'),
    },
    components: { messages: Object.fromEntries(messages.map(message)), schemas: schemas() },
  };
}

const DESCRIPTION = `A WebSocket that sends events to sessions of accounts and bots. \`GET /gateway\` of the HTTP API returns its URL.
[The guide](/docs/gateway) explains the rules.

The server sends Hello. The client sends Identify with its token, or Resume, and a Heartbeat in each interval. Every other
frame of the server is an event (op 0), a request to reconnect (op 7) or the refusal of a Resume (op 9). The close codes are in
\`x-close-codes\` of the channel, and the limits in \`x-limits\`; limits that are settings have their defaults.

New events, and new members of payloads, may come with any release: clients ignore what they do not know.`;

const SERVER: JsonSchema = {
  host: '{host}',
  protocol: 'wss',
  description: '`url` of `GET /gateway`.',
  variables: { host: { default: 'localhost:8080', description: 'The edge’s host and port.' } },
};

function channel(messages: readonly FrameMessage[]): JsonSchema {
  return {
    address: '/gateway',
    title: 'Gateway',
    description: 'One WebSocket. Each text message is one frame.',
    servers: [{ $ref: '#/servers/gateway' }],
    messages: Object.fromEntries(
      messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
    bindings: { ws: { method: 'GET', query: QUERY, bindingVersion: '0.1.0' } },
    'x-credentials': ['session', 'bot'],
    'x-close-codes': closeCodes(),
    'x-limits': limits(),
  };
}

const QUERY: JsonSchema = {
  type: 'object',
  properties: {
    v: { type: 'string', description: 'The version of the protocol.', enum: [VERSION], default: VERSION },
    encoding: { type: 'string', description: 'The format of frames.', enum: [ENCODING], default: ENCODING },
  },
};

function operation(
  action: 'send' | 'receive',
  summary: string,
  messages: readonly FrameMessage[],
  from: FrameMessage['from'],
): JsonSchema {
  const own = messages.filter((one) => one.from === from);
  return {
    action,
    channel: { $ref: '#/channels/gateway' },
    summary,
    messages: own.map(({ name }) => ({ $ref: `#/channels/gateway/messages/${name}` })),
  };
}

function message({ name, summary, payload }: FrameMessage): [name: string, message: JsonSchema] {
  const examples = examplesOf(name);
  return [name, { name, title: name, summary, payload, ...(examples.length > 0 && { examples }) }];
}

/** The schemas of the contracts' messages, with all that they contain, and those of realtime's own payloads. */
function schemas(): JsonSchema {
  const problems = new Problems();
  const contracts = new MessageSchemas(readContractComments(), new Set(), problems);
  for (const name of Object.values(CONTRACTS)) contracts.refTo(messageSchema(name), 'output');
  problems.throwIfAny();
  const { Snowflake } = SNOWFLAKES;
  return { Snowflake, ...contracts.components(), ...PAYLOADS };
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return text;
}
