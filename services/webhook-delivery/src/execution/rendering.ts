import type { NothingReason } from '../store/delivery.ts';

/** The message of a payload, or the reason why there is nothing to show. */
export type Rendering<M> = { readonly message: M } | { readonly nothing: NothingReason };
