import { bodies } from './bodies.ts';
import { chunks } from './chunks.ts';
import { connectFlood } from './connect-flood.ts';
import { logins } from './logins.ts';
import { mutate } from './mutate.ts';
import { pipeline } from './pipeline.ts';
import { requestLoop } from './request-loop.ts';
import { slowRead } from './slow-read.ts';
import { stall } from './stall.ts';
import { trickle } from './trickle.ts';

/** The attacks by name. Each runs in its own process. */
export const ATTACKS = {
  requestLoop,
  pipeline,
  chunks,
  bodies,
  stall,
  trickle,
  slowRead,
  connectFlood,
  mutate,
  logins,
};

export type AttackName = keyof typeof ATTACKS;
export type OptionsOf<Name extends AttackName> = Parameters<(typeof ATTACKS)[Name]>[1];

/** An attack with its options. */
export type AttackSpec = { [Name in AttackName]: { readonly attack: Name } & OptionsOf<Name> }[AttackName];
