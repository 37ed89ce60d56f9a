/** The example requests, by RPC. Routes without a body and special headers need none. */
export interface Example {
  readonly body?: object;
  /** A form body. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

const TICKET = 'Vv5Jt4aS9rQk0yXG2cHd8bLw7nPm3eZo6uTi1fKsRqA';
const MAIL_TOKEN = 'mP2xQ8rT5vY1zB4nC7kD0gF3hJ6lS9wA-eU_iO2pRtE';
/** The format of OAuth2's codes, access tokens, refresh tokens and client secrets. */
const CODE = 'kD0gF3hJ6lS9wAmP2xQ8rT5vY1zB4nC7eU_iO2pRtE4';
const CLIENT = { client_id: '1234567890123456789', client_secret: '$CLIENT_SECRET' };
const PROOF = { password: 'correct horse battery staple' };
/** Responses of a browser's WebAuthn API, shortened. */
const CREDENTIAL = { id: 'cGFzc2tleQ', rawId: 'cGFzc2tleQ', type: 'public-key', clientExtensionResults: {} };
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'eyJ0eXBl', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQDx' },
};
const REGISTRATION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'eyJ0eXBl', attestationObject: 'o2NmbXRk' },
};

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'auth.register': {
    body: { email: 'ann@example.com', username: 'ann', password: 'correct horse battery staple' },
  },
  'auth.login': { body: { email: 'ann@example.com', password: 'correct horse battery staple' } },
  'auth.loginMfaTotp': { body: { ticket: TICKET, code: '123456' } },
  'auth.getLoginWebauthnOptions': { body: { ticket: TICKET } },
  'auth.loginMfaWebauthn': { body: { ticket: TICKET, response: ASSERTION } },
  'auth.loginPasskey': { body: { response: ASSERTION } },
  'auth.authorizeIp': { body: { token: MAIL_TOKEN } },
  'auth.resendIpAuthorization': { body: { ticket: TICKET } },
  'auth.pollIpAuthorization': { query: `ticket=${TICKET}` },
  'auth.forgotPassword': { body: { email: 'ann@example.com' } },
  'auth.resetPassword': { body: { token: MAIL_TOKEN, password: 'a better battery staple' } },
  'auth.verifyEmail': { body: { token: MAIL_TOKEN } },
  'auth.endSessions': { body: { others: true } },
  'auth.createSudoGrant': { body: PROOF },
  'auth.updateCurrentUser': { body: { global_name: 'Ann', bio: 'Reads a lot.', accent_color: 5814783 } },
  'auth.deleteCurrentUser': { body: PROOF },
  'auth.startDataExport': { body: PROOF },
  'auth.enableTotp': { body: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', code: '123456', ...PROOF } },
  'auth.disableTotp': { body: { code: '123456' } },
  'auth.listBackupCodes': { body: { regenerate: true, mfa_code: '123456' } },
  'auth.createWebauthnCredential': { body: { name: 'Laptop', response: REGISTRATION, ...PROOF } },
  'auth.updateWebauthnCredential': { body: { name: 'Old laptop' } },
  'auth.deleteWebauthnCredential': { body: { mfa_code: '123456' } },
  'auth.resetBotToken': { body: PROOF },
  'oauth2.createApplication': {
    body: { name: 'Clock', redirect_uris: ['https://clock.example/callback'] },
  },
  'oauth2.updateApplication': { body: { name: 'Clock, the second', bot_public: false } },
  'oauth2.updateBot': { body: { username: 'clock_bot' } },
  'oauth2.revokeAuthorizations': { body: { application_ids: ['1234567890123456789'] } },
  'oauth2.authorize': {
    query: `client_id=1234567890123456789&scope=identify+email&response_type=code&redirect_uri=${encodeURIComponent('https://clock.example/callback')}&state=b7Xq2`,
  },
  'oauth2.grantConsent': {
    body: {
      client_id: '1234567890123456789',
      scope: 'identify email',
      redirect_uri: 'https://clock.example/callback',
      state: 'b7Xq2',
    },
  },
  'oauth2.exchangeToken': {
    form: {
      grant_type: 'authorization_code',
      code: CODE,
      redirect_uri: 'https://clock.example/callback',
      ...CLIENT,
    },
  },
  'oauth2.introspectToken': { form: { token: '$ACCESS_TOKEN', ...CLIENT } },
  'oauth2.revokeToken': {
    form: { token: '$REFRESH_TOKEN', token_type_hint: 'refresh_token', ...CLIENT },
  },
  'oauth2.getUserInfo': { headers: { Authorization: 'Bearer $ACCESS_TOKEN' } },
  'oauth2.getCurrentAuthorization': { headers: { Authorization: 'Bearer $ACCESS_TOKEN' } },
  'oauth2.refuseConsent': {
    body: {
      client_id: '1234567890123456789',
      redirect_uri: 'https://clock.example/callback',
      state: 'b7Xq2',
    },
  },
  'chat.createGuild': { body: { name: 'Book club' } },
  'chat.createChannel': {
    body: { name: 'Monthly picks', type: 0, topic: 'What we read next', rate_limit_per_user: 10 },
  },
  'chat.updateChannelPositions': { body: { positions: [{ id: '1234567890123456789', position: 1 }] } },
  'chat.updateChannel': { body: { topic: 'What we read now', rate_limit_per_user: 0 } },
  'chat.putOverwrite': { body: { type: 0, allow: '1024', deny: '2048' } },
  'chat.updateGuild': { body: { name: 'Book club, second year' } },
  'chat.createRole': { body: { name: 'Reader', color: 5814783, hoist: true, permissions: '68608' } },
  'chat.updateRole': { body: { name: 'Librarian', mentionable: true } },
  'chat.updateRolePositions': { body: { positions: [{ id: '1234567890123456789', position: 3 }] } },
  'chat.openPrivateChannel': { body: { recipients: ['1234567890123456789'] } },
  'chat.updateMessage': { body: { content: 'Hello again' } },
  'chat.createMessage': { body: { content: 'Hello', embeds: [{ title: 'A title', color: 5814783 }] } },
  'chat.updateOwnMember': { body: { nick: 'Ann', bio: 'Reads a lot.', accent_color: 5814783 } },
  'chat.updateMember': { body: { nick: 'Annie', roles: ['1234567890123456789'] } },
  'chat.createInvite': { body: { max_age: 3600, max_uses: 1 } },
  'chat.listMembers': { query: 'limit=100' },
  'chat.listMessages': { query: 'limit=20' },
  'webhook_delivery.createWebhook': { body: { name: 'Alerts' } },
  'webhook_delivery.updateWebhook': { body: { name: 'Alarms', channel_id: '1234567890123456789' } },
  'webhook_delivery.listWebhookDeliveries': { query: 'outcome=refused&limit=20' },
  'webhook_delivery.testWebhook': { body: { dialect: 'chatcompat' } },
  'webhook_delivery.previewWebhook': {
    body: { dialect: 'chatcompat', payload: '{"text": "Disk is full"}' },
  },
  'webhook_delivery.updateWebhookSettings': { body: { keep_payloads: true } },
  'webhook_delivery.executeWebhook': { query: 'wait=true', body: { content: 'The build is green.' } },
  'webhook_delivery.updateTokenWebhook': { body: { name: 'Night alerts' } },
  'webhook_delivery.updateWebhookMessage': { body: { content: 'The build is green again.' } },
  'webhook_delivery.executeChatcompat': {
    body: { text: 'Disk is full', attachments: [{ color: '#cc0000', title: 'db-1', text: '97 %' }] },
  },
  'webhook_delivery.executeCodehost': {
    headers: { 'X-Codehost-Event': 'public' },
    body: { repository: { name: 'clock', full_name: 'ann/clock' }, sender: { login: 'ann' } },
  },
  'webhook_delivery.executeStatuspage': {
    body: { incident: { name: 'Slow searches', status: 'investigating' } },
  },
};
