import { Avatar } from '../../shared/ui/avatar.tsx';
import type { Webhook } from './webhook.ts';

/** The picture of a webhook whose name stands beside it. */
export function WebhookPicture({ webhook: { id, name, avatar } }: { webhook: Webhook }) {
  return <Avatar name={name} src={avatar === null ? undefined : `/media/avatars/${id}/${avatar}`} />;
}
