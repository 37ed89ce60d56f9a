import {
  type Dispatch,
  dispatchOf as realDispatchOf,
} from '../../../services/realtime/src/connections/dispatch.ts';

export { type Dispatch, textOf } from '../../../services/realtime/src/connections/dispatch.ts';

/** Whether others follow in the turn or not, it is gathered with them. */
export function dispatchOf(t: string, d: string): Dispatch {
  return realDispatchOf(t, d, false);
}
