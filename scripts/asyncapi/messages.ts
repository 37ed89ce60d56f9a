import { DEFAULT_SETTINGS, Op } from '@gatehouse/realtime/protocol';
import { type JsonSchema, ref } from '../openapi/json-schema.ts';
import { type EventRow, events } from './events.ts';
import { object } from './payloads.ts';
import { rowsOf } from './rows-of.ts';

export interface FrameMessage {
  readonly name: string;
  readonly from: 'client' | 'server';
  readonly summary: string;
  readonly payload: JsonSchema;
}

type OpName = keyof typeof Op;
type OpMessage = Omit<FrameMessage, 'payload'> & { readonly d: JsonSchema };

const TOKEN: JsonSchema = {
  type: 'string',
  description: 'A session token or a bot token. A bot token may have the prefix `Bot `.',
};

const IDENTIFY = object(
  'Starts a session.',
  { token: TOKEN },
  {
    shard: {
      type: 'array',
      description: 'The shard’s number and the number of shards, which READY repeats.',
      items: { type: 'integer' },
      minItems: 2,
      maxItems: 2,
    },
    properties: { description: 'Accepted and ignored, as are the members below.' },
    compress: {},
    intents: {},
    presence: {},
  },
);

const RESUME = object('Continues a session.', {
  token: TOKEN,
  session_id: { type: 'string', description: '`session_id` of READY.' },
  seq: { type: ['integer', 'null'], minimum: 0, description: 'The last `s` that the client received.' },
});

const HELLO = object('The first frame of a connection.', {
  heartbeat_interval: {
    type: 'integer',
    description: 'Milliseconds between two Heartbeats.',
    examples: [DEFAULT_SETTINGS.heartbeat_interval_ms],
  },
});

const NOTHING: JsonSchema = { type: 'null' };
const LAST_S: JsonSchema = {
  type: ['integer', 'null'],
  description: 'The last `s` that the client received.',
};

/** The messages of each op. Those of Dispatch are the events. */
const OPS: Readonly<Record<OpName, readonly OpMessage[]>> = {
  DISPATCH: [],
  HEARTBEAT: [
    { name: 'Heartbeat', from: 'client', summary: 'Shows that the client is alive.', d: LAST_S },
    { name: 'HeartbeatRequest', from: 'server', summary: 'Send a Heartbeat now.', d: NOTHING },
  ],
  IDENTIFY: [{ name: 'Identify', from: 'client', summary: 'Starts a session.', d: IDENTIFY }],
  RESUME: [{ name: 'Resume', from: 'client', summary: 'Continues a session.', d: RESUME }],
  RECONNECT: [
    { name: 'Reconnect', from: 'server', summary: 'The server stops: reconnect and resume.', d: NOTHING },
  ],
  INVALID_SESSION: [
    {
      name: 'InvalidSession',
      from: 'server',
      summary: 'The Resume failed. After `false`, identify again on the same connection.',
      d: { type: 'boolean', description: 'Whether the session can be resumed.' },
    },
  ],
  HELLO: [{ name: 'Hello', from: 'server', summary: 'The first frame of a connection.', d: HELLO }],
  HEARTBEAT_ACK: [
    { name: 'HeartbeatAck', from: 'server', summary: 'The answer to a Heartbeat.', d: NOTHING },
  ],
};

/** Each message of the Gateway: those of the ops, and one for each event. */
export function frameMessages(): FrameMessage[] {
  const ops = rowsOf('op', Object.keys(Op), OPS).flatMap(([op, messages]) =>
    messages.map(opMessage(op as OpName)),
  ); // a key of Op
  return [...ops, ...events().map(eventMessage)];
}

function opMessage(op: OpName): (message: OpMessage) => FrameMessage {
  return ({ d, ...message }) => {
    const members = { op: { const: Op[op] }, d };
    const payload =
      message.from === 'client'
        ? object(message.summary, members)
        : object(message.summary, { ...members, s: NOTHING, t: NOTHING });
    return { ...message, payload };
  };
}

function eventMessage([name, { summary, to, d }]: [name: string, row: EventRow]): FrameMessage {
  const text = `${summary} Sent to ${to}.`;
  const payload = object(text, {
    op: { const: Op.DISPATCH },
    d: dataOf(d),
    s: { type: 'integer', minimum: 1, description: 'Counts from 1 in each session.' },
    t: { const: name },
  });
  return { name, from: 'server', summary, payload };
}

function dataOf([first, ...others]: EventRow['d']): JsonSchema {
  if (first === undefined) return NOTHING;
  return others.length === 0 ? ref(first) : { anyOf: [first, ...others].map(ref) };
}
