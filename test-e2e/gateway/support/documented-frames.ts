import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Frame } from './objects.ts';

interface Document {
  readonly operations: { readonly send: { readonly messages: readonly { readonly $ref: string }[] } };
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly payload: { readonly properties: FrameProperties } }>
    >;
  };
}

interface FrameProperties {
  readonly op: { readonly const: number };
  readonly t: { readonly const?: string };
}

const document: Document = JSON.parse(
  readFileSync(new URL('../../../gateway/asyncapi.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, 'asyncapi.json');

const { messages } = document.components;
/** The names of the server's messages, by op and event. */
const SENT: ReadonlyMap<string, string> = new Map(
  document.operations.send.messages.map(({ $ref }) => {
    const name = $ref.split('/').at(-1) ?? '';
    const { op, t } = messages[name]?.payload.properties ?? { op: undefined, t: undefined };
    return [keyOf(op?.const, t?.const), name];
  }),
);

/** The events of gateway/asyncapi.json. */
export const DOCUMENTED_EVENTS: readonly string[] = Object.values(messages).flatMap(
  ({ payload }) => payload.properties.t?.const ?? [],
);

/** How a frame of the server differs from gateway/asyncapi.json. */
export function documentFaults(frame: Frame): string[] {
  const name = SENT.get(keyOf(frame.op, frame.t));
  const isValid =
    name === undefined ? undefined : ajv.getSchema(`asyncapi.json#/components/messages/${name}/payload`);
  if (isValid === undefined) return [`${frame.t ?? `op ${frame.op}`} is not in asyncapi.json`];
  if (isValid(frame)) return [];
  return [`${name} is not as in asyncapi.json: ${ajv.errorsText(isValid.errors)}`];
}

function keyOf(op: number | undefined, t: string | null | undefined): string {
  return `${op} ${t ?? ''}`;
}
