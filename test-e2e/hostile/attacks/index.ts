import { ask } from './ask.ts';
import { bodies } from './bodies.ts';
import { chunks } from './chunks.ts';
import { deaf } from './deaf.ts';
import { knock } from './knock.ts';
import { logins } from './logins.ts';
import { mutate } from './mutate.ts';
import { pipeline } from './pipeline.ts';
import { stall } from './stall.ts';
import { trickle } from './trickle.ts';

/** The attacks by name. Each runs in its own process. */
export const ATTACKS = { ask, pipeline, chunks, bodies, stall, trickle, deaf, knock, mutate, logins };

export type AttackName = keyof typeof ATTACKS;
export type OptionsOf<Name extends AttackName> = Parameters<(typeof ATTACKS)[Name]>[1];

/** An attack with its options. */
export type Order = { [Name in AttackName]: { readonly attack: Name } & OptionsOf<Name> }[AttackName];
