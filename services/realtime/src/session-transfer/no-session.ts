import type { ReleaseSessionResponse } from '@gatehouse/proto/realtime';

/** The answer of a replica without the session, or of one that is gone. */
export const NO_SESSION: ReleaseSessionResponse = {
  session: undefined,
  cursor: '',
  moved: false,
  invalid_sequence: false,
};
