/** What a part of a bucket's key is called, and an example of an identity for it. */
const PARTS: Readonly<Record<string, { readonly name: string; readonly example: string }>> = {
  account: { name: 'Account', example: 'account:123456789' },
  account_or_client: { name: 'Account or address', example: 'account:123456789' },
  channel: { name: 'Channel', example: 'channel:123456789' },
  channel_or_guild: { name: 'Channel or guild', example: 'channel:123456789' },
  client: { name: 'Credential or address', example: 'ip:192.0.2.1' },
  client_ip_or_account: { name: 'Credential, address or account', example: 'ip:192.0.2.1' },
  email: { name: 'E-mail address', example: 'ann@example.com' },
  guild: { name: 'Guild', example: 'guild:123456789' },
  application: { name: 'Application', example: 'application:123456789' },
  invite_code: { name: 'Invite', example: 'invite:aBcD1234' },
  ip: { name: 'Address', example: 'ip:192.0.2.1' },
  login_name: { name: 'Login name', example: 'ann@example.com' },
  stream: { name: 'Stream', example: 'stream:123456789' },
  subnet: { name: 'Network', example: 'subnet:192.0.2.0/24' },
  target_user: { name: 'User that is acted on', example: 'user:123456789' },
  webhook: { name: 'Webhook', example: 'webhook:123456789' },
};

/** The name of a part of a key; its own for one that this console does not know. */
export function partName(part: string): string {
  return PARTS[part]?.name ?? part.replaceAll('_', ' ');
}

export function partExample(part: string): string {
  return PARTS[part]?.example ?? `${part}:123456789`;
}
