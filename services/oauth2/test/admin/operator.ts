/** Who changes something in tests, and why. */
export const BY_ALICE = { operator: 'alice', reason: 'It floods webhooks.' };
