import type { Dispatch } from '../connections/dispatch.ts';

/** The events that sessions keep as they were sent. One that many keep takes its bytes once. */
export interface KeptTexts {
  add(dispatch: Dispatch): void;
  remove(dispatch: Dispatch): void;
  bytes(): number;
}

export function keptTexts(): KeptTexts {
  const keepers = new Map<Dispatch, number>();
  let bytes = 0;
  return {
    add: (dispatch) => {
      const before = keepers.get(dispatch) ?? 0;
      keepers.set(dispatch, before + 1);
      if (before === 0) bytes += dispatch.rest.length;
    },
    remove: (dispatch) => {
      const left = (keepers.get(dispatch) ?? 0) - 1;
      if (left > 0) keepers.set(dispatch, left);
      else if (keepers.delete(dispatch)) bytes -= dispatch.rest.length;
    },
    bytes: () => bytes,
  };
}
