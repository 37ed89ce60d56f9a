import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';

/** In words: disabled, refused with its creator, or enabled. */
export function WebhookState({ webhook }: { webhook: AdminWebhook }) {
  if (webhook.disablement) return <Badge kind="danger">disabled</Badge>;
  if (webhook.creator_suspended) return <Badge kind="warning">creator suspended</Badge>;
  return <Badge>enabled</Badge>;
}
