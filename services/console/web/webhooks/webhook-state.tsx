import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import type { NamedWebhook } from './named-webhook.ts';

/** In words: disabled, refused with its creator or the creator's owner, or enabled. */
export function WebhookState({ webhook }: { webhook: NamedWebhook }) {
  if (webhook.disablement) return <Badge kind="danger">disabled</Badge>;
  if (webhook.creator_suspended) {
    const isByOwner = !webhook.creator?.suspension && webhook.creator?.owner_suspension;
    return <Badge kind="warning">{isByOwner ? 'creator’s owner suspended' : 'creator suspended'}</Badge>;
  }
  return <Badge>enabled</Badge>;
}
