import type { NothingReason } from '../store/delivery.ts';

/** What a payload becomes: a message, or nothing, and why. */
export type Rendering<M> = { readonly message: M } | { readonly nothing: NothingReason };
