import { LONG } from './attack-setup.ts';

/** Maximum memory of each process under any attack, in MiB. */
export const MAX_RSS_MB = 450;
/**
 * Time after an attack within which the stack recovers, except for this much memory of the edge. Responses that
 * nobody reads any more take five seconds to finish; a busy machine takes twice as long.
 */
export const RECOVERED_WITHIN_MS = LONG ? 10_000 : 20_000;
export const MAX_GROWTH_MB = 80;
/** A service keeps memory that it allocated for work it does for the first time. */
export const MAX_SERVICE_GROWTH_MB = 160;
/**
 * One request in a hundred of a bystander may wait longer. With the few requests during a short attack, that is the
 * slowest one.
 */
export const MAX_P99_MS = LONG ? 1_000 : 3_000;
/**
 * A request passes through five processes. A busy machine delays each of them as much as the measuring process.
 */
export const LAGS_A_REQUEST = 5;
/** Maximum event loop lag of the measuring process; beyond it, its figures mean nothing. */
export const MAX_LAG_MS = 500;
