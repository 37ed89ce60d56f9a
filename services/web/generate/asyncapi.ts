import type { Schema, Schemas } from './openapi.ts';

/** The parts of the AsyncAPI document that the page of the Gateway shows. */
export interface AsyncApi extends Schemas {
  readonly channels: { readonly gateway: GatewayChannel };
  readonly operations: Readonly<
    Record<'send' | 'receive', { readonly messages: readonly { readonly $ref: string }[] }>
  >;
  readonly components: Schemas['components'] & { readonly messages: Readonly<Record<string, Frame>> };
}

interface GatewayChannel {
  readonly 'x-close-codes': readonly CloseCode[];
  /** Numbers, by names with their unit. */
  readonly 'x-limits': Readonly<Record<string, number>>;
}

interface CloseCode {
  readonly code: number;
  readonly meaning: string;
  readonly when: string;
  /** What a client does next. */
  readonly action: 'resume' | 'identify' | 'stop';
}

/** A message of the Gateway. */
export interface Frame {
  readonly name: string;
  readonly summary: string;
  readonly payload: Schema;
  readonly examples?: readonly { readonly payload: unknown }[];
}

/** The frames that clients send (`receive`), or that the server sends. @throws Error if one is missing */
export function framesOf({ operations, components }: AsyncApi, action: 'send' | 'receive'): Frame[] {
  return operations[action].messages.map(({ $ref }) => {
    const frame = components.messages[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (frame === undefined) throw new Error(`the document has no ${$ref}`);
    return frame;
  });
}
