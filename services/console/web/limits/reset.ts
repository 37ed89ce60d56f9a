import { call } from '../api/call.ts';
import type { OfferedAction } from '../parts/action-menu.tsx';

/** Empties one bucket of an identity, or all. */
export function resetting(identity: string, bucket: string | undefined): OfferedAction {
  return {
    name: 'limit.reset',
    label: bucket === undefined ? 'Reset all' : 'Reset',
    kind: 'primary',
    title: bucket === undefined ? `Reset all limits of ${identity}?` : `Reset ${bucket} of ${identity}?`,
    submit: 'Reset',
    consequences: [
      `${bucket === undefined ? 'All its buckets are' : 'The bucket is'} emptied: its next requests are admitted.`,
      'Edges that remember a denial forget it within a second.',
    ],
    done: `The limits of ${identity} are reset.`,
    act: async (reason) => {
      await call('POST', '/limits/reset', { identity, ...(bucket !== undefined && { bucket }), reason });
      return undefined;
    },
  };
}
