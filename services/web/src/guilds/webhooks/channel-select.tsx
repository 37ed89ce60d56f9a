import { Select } from '../../shared/ui/select.tsx';
import type { WebhookChannel } from './webhook.ts';

/** Keeps the sign before the name, also on a page from right to left. */
const LEFT_TO_RIGHT = '\u200E';

/** A choice among the channels of a guild. */
export function ChannelSelect(props: {
  label: string;
  channels: readonly WebhookChannel[];
  value: string;
  onValue: (channel_id: string) => void;
}) {
  const { label, channels, value, onValue } = props;
  const options = channels.map(({ id, name }) => ({ value: id, text: `${LEFT_TO_RIGHT}# ${name ?? id}` }));
  return <Select label={label} value={value} onValue={onValue} options={options} />;
}
