/** The token is not one that may identify, or is one no longer. */
export class TokenRefused extends Error {
  override name = 'TokenRefused';

  /** @param identified whether it was accepted before */
  constructor(identified: boolean) {
    super(
      identified
        ? 'The Gateway ended the session (4004): its credential ended by a logout, a reset, a deletion or another revocation.\n' +
            'Log in again, or take the bot’s new token, and start anew.'
        : 'The Gateway does not accept this token (4004): it is wrong, or was revoked.\n' +
            'Log in for a new one (POST /api/v1/auth/login), or reset the bot’s (POST /api/v1/oauth2/applications/ID/bot/reset-token).\n' +
            'An access token of OAuth2 cannot identify.',
    );
  }
}

/** There is no Gateway where one was looked for. */
export class NoGateway extends Error {
  override name = 'NoGateway';
}
