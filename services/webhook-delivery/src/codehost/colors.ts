/** Colors of embeds that several events share. */
export const COLORS = {
  green: 0x009800,
  red: 0xfc2929,
  black: 0x000000,
  yellow: 0xfcbd1f,
  comment: 0xc00a7f,
  discussion: 0xe6c2b0,
} as const;

/** The color of an issue or pull request after an action. `opened` is its color when it is opened. */
export function stateColor(action: string | undefined, opened: number): number {
  if (action === 'opened') return opened;
  return action === 'closed' ? COLORS.black : COLORS.yellow;
}
