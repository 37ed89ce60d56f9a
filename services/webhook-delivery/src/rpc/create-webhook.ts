import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { User } from '@gatehouse/proto/auth';
import type { Upload } from '@gatehouse/proto/media';
import type { CreateWebhookRequest, CreateWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { invalidWebhook } from '../errors.ts';
import { makeWebhook } from '../webhooks/change-webhook.ts';
import { requireId } from '../webhooks/credential.ts';
import { dropAvatar, publishAvatar, storeAvatar } from '../webhooks/store-avatar.ts';
import { newToken } from '../webhooks/token.ts';
import { NAME_LIMIT, tokenWebhook } from '../webhooks/webhook.ts';

const TIMEOUT_MS = 5_000;

export function createWebhook(deps: Deps): Handler<CreateWebhookRequest, CreateWebhookResponse> {
  const { ids, chat, auth, media } = deps;
  return async (request, call) => {
    const creator_id = requireAccount(call.caller);
    const { channel_id } = request;
    requireId('channel_id', channel_id);
    const within = { within: call, timeoutMs: TIMEOUT_MS };
    const { guild_id, reason = null } = await chat.authorizeWebhooks(
      { channel_id, reason: request.reason },
      within,
    );
    const { name, avatar } = await readForm(deps, request, call);
    const hash = avatar?.hash ?? null;
    const webhook = { id: ids(), guild_id, channel_id, name, avatar: hash, token: newToken(), creator_id };
    let users: readonly User[];
    try {
      ({ users } = await auth.getUsers({ ids: [creator_id] }, within));
      if (avatar !== undefined) await publishAvatar(media, avatar, call);
    } catch (error) {
      if (avatar !== undefined) dropAvatar(media, avatar, call);
      throw error;
    }
    await makeWebhook(deps, webhook, { account_id: creator_id, reason });
    return { webhook: { ...tokenWebhook(webhook), user: users[0] ?? null } };
  };
}

async function readForm(
  { media }: Deps,
  request: CreateWebhookRequest,
  call: Call,
): Promise<{ name: string; avatar: Upload | undefined }> {
  const form = new Form();
  const code = 'WEBHOOK_NAME_LENGTH_INVALID';
  const name = form.text('name', request.name ?? '', { min: 1, max: NAME_LIMIT, trim: true, code });
  if (name.includes('\0')) form.fail('name', 'INVALID_FORMAT', 'Must not contain a NUL character.');
  const stored = request.avatar == null ? undefined : await storeAvatar(media, request.avatar, call);
  if (typeof stored === 'string') {
    form.fail('avatar', 'INVALID_FORMAT', stored);
    throw invalidWebhook(form.violations);
  }
  if (form.violations.length > 0) {
    if (stored !== undefined) dropAvatar(media, stored, call);
    throw invalidWebhook(form.violations);
  }
  return { name, avatar: stored };
}
