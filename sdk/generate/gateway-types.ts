import openapiTs, { astToString, COMMENT_HEADER, type SchemaObject } from 'openapi-typescript';

/** The parts of gateway/asyncapi.json that the client is made from. */
export interface AsyncApi {
  readonly channels: { readonly gateway: { readonly 'x-close-codes': readonly CloseCode[] } };
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Record<string, SchemaObject>;
  };
}

interface CloseCode {
  readonly code: number;
  readonly meaning: string;
  readonly action: string;
}

interface Message {
  readonly summary: string;
  readonly payload: {
    readonly properties: {
      readonly op: { readonly const: number };
      readonly t?: { readonly const?: string };
      readonly d: Data;
    };
  };
}

/** The schema of an event's `d`: null, a component, or one of several. */
interface Data {
  readonly $ref?: string;
  readonly anyOf?: readonly Data[];
}

/** The text of src/generated/gateway.ts: the Gateway's events, ops and close codes. */
export async function gatewayTypes({ channels, components }: AsyncApi): Promise<string> {
  const nodes = await openapiTs(
    {
      openapi: '3.1.0',
      info: { title: 'Gateway', version: '1' },
      paths: {},
      components: { schemas: components.schemas },
    },
    { alphabetize: true },
  );
  const [schemas] = astToString(nodes).match(/^export interface components \{.*?^\}\n/ms) ?? [];
  if (schemas === undefined) throw new Error('asyncapi.json has no schemas');
  const messages = Object.entries(components.messages);
  return [
    COMMENT_HEADER,
    schemas,
    events(messages.map(([, message]) => message)),
    ops(messages),
    closeCodes(channels.gateway['x-close-codes']),
  ].join('\n');
}

function events(messages: readonly Message[]): string {
  const members = messages.flatMap(({ summary, payload: { properties } }) => {
    const name = properties.t?.const;
    return name === undefined ? [] : `    /** ${summary} */\n    ${name}: ${typeOf(properties.d)};\n`;
  });
  return `/** The payload of each event. */\nexport interface GatewayEvents {\n${members.join('')}}\n`;
}

function typeOf({ $ref, anyOf }: Data): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  return $ref === undefined ? 'null' : `components["schemas"]["${$ref.split('/').at(-1)}"]`;
}

function ops(messages: readonly (readonly [name: string, message: Message])[]): string {
  const names = new Map([[0, 'DISPATCH']]);
  for (const [name, { payload }] of messages) {
    const op = payload.properties.op.const;
    if (!names.has(op)) names.set(op, constantName(name));
  }
  const members = [...names].map(([op, name]) => `    ${name}: ${op},\n`);
  return `export const OP = {\n${members.join('')}} as const;\n`;
}

/** "HeartbeatAck" as "HEARTBEAT_ACK". */
function constantName(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

function closeCodes(codes: readonly CloseCode[]): string {
  const members = codes.map(
    ({ code, meaning, action }) => `    [${code}, { meaning: "${meaning}", action: "${action}" }],\n`,
  );
  const type =
    'ReadonlyMap<number, { readonly meaning: string; readonly action: "resume" | "identify" | "stop" }>';
  return `/** The server's close codes, and the client's next action. */\nexport const CLOSE_CODES: ${type} = new Map([\n${members.join('')}]);\n`;
}
