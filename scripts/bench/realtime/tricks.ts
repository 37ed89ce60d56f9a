/** What realtime does for speed alone, each with the plain code that does without (edge/tricks.ts). */

import type { Trick } from '../edge/tricks.ts';

const SOURCE = 'services/realtime/src';

export const REALTIME_TRICKS = {
  none: { what: 'how far two equal replicas are apart', modules: {} },
  'event-sink': {
    what: "frames written to the socket, not by ws's send",
    modules: { [`${SOURCE}/connections/event-sink.ts`]: 'event-sink.ts' },
  },
  'flush-queue': {
    what: 'frames of a turn for a socket written together, not each alone',
    modules: { [`${SOURCE}/connections/flush-queue.ts`]: 'flush-queue.ts' },
  },
  alone: {
    what: 'an event alone in its turn is copied and written at once, not gathered',
    modules: { [`${SOURCE}/connections/dispatch.ts`]: 'dispatch.ts' },
  },
  viewers: {
    what: 'who can view a channel kept, not worked out for each message',
    modules: { [`${SOURCE}/world/views.ts`]: 'views.ts' },
  },
} as const satisfies Record<string, Trick>;

export type RealtimeTrick = keyof typeof REALTIME_TRICKS;

export function isRealtimeTrick(name: string): name is RealtimeTrick {
  return Object.hasOwn(REALTIME_TRICKS, name);
}
