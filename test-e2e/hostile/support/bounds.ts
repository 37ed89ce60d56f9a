import { LONG } from './stage.ts';

/** What each process may take at most, whatever is sent, in MiB. */
export const MAX_RSS_MB = 450;
/**
 * Within this time after an attack all is as it was before, but for so much memory of the edge. What was asked for and is
 * not read any more takes five seconds to work off; a machine that has other work takes twice as long.
 */
export const RECOVERED_WITHIN_MS = LONG ? 10_000 : 20_000;
export const MAX_GROWTH_MB = 80;
/** A service keeps what it took for work that it had not done before. */
export const MAX_SERVICE_GROWTH_MB = 160;
/**
 * Of those who do nothing wrong, one in a hundred may wait longer. Of the few requests beside a short attack,
 * one in a hundred is the slowest.
 */
export const MAX_P99_MS = LONG ? 1_000 : 3_000;
/**
 * A request goes through five processes. What a machine that is busy otherwise keeps the measuring process waiting
 * for, it does to each of them.
 */
export const LAGS_A_REQUEST = 5;
/** The measuring process itself must not stand still for longer, or its figures say nothing. */
export const MAX_LAG_MS = 500;
