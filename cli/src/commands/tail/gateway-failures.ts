import { CommandFailure, ExitCode } from '../../failures.ts';

const URL_ADVICE = 'Name the Gateway with --url, or the address of the API with --base-url.';

/** @param identified whether the token was accepted before */
export function tokenRefused(identified: boolean): CommandFailure {
  const text = identified
    ? 'The Gateway ended the session (4004): its credential was ended by a logout, a reset, a deletion or another revocation.\n' +
      'Log in again, or take the new token of the bot, and start anew.'
    : 'The Gateway does not accept this token (4004): it is wrong, or was revoked.\n' +
      'Log in for a new one (POST /api/v1/auth/login), or reset that of the bot ' +
      '(POST /api/v1/oauth2/applications/ID/bot/reset-token).\nAn access token of OAuth2 cannot identify.';
  return new CommandFailure(ExitCode.NEGATIVE, text);
}

export function noGateway(text: string): CommandFailure {
  return new CommandFailure(ExitCode.UNANSWERED, `${text}\n${URL_ADVICE}`);
}
