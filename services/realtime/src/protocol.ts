/*
 * The tables of the Gateway's protocol that its description is made from (gateway/asyncapi.json). Each event that is
 * sent has its name here, or the code does not compile.
 */
export { CloseCode } from './connections/connection.ts';
export { DEFAULT_SETTINGS } from './connections/connection-settings.ts';
export { MAX_SILENT_INTERVALS } from './connections/connection-timeouts.ts';
export { MAX_FRAME_BYTES, MAX_IDENTIFY_BYTES, Op } from './connections/frame.ts';
export { ENCODING, VERSION } from './connections/gateway-url.ts';
export { EVENT_NAMES, type EventName } from './event-names.ts';
export { STALLED_MS } from './sessions/replay.ts';
export { RESUMABLE_MS } from './sessions/sweep.ts';
