import { GatehouseError } from '../errors/gatehouse-error.ts';

const MESSAGES = {
  no_tokens: 'The store has no tokens: the user has to sign in.',
  refused: 'The refresh token is not valid: the user has to sign in again.',
  answer_lost:
    'The answer of the refresh was lost, and a refresh token works once. The next call tries it again; if it is refused, the user has to sign in again.',
  not_stored: 'The new tokens could not be stored. This process keeps them, and the next call stores them.',
} as const;

export type RefreshProblem = keyof typeof MESSAGES;

/** There is no live access token. `cause` is the error behind it. */
export class TokenRefreshError extends GatehouseError {
  override readonly name = 'TokenRefreshError';
  readonly problem: RefreshProblem;

  constructor(problem: RefreshProblem, cause?: unknown) {
    super(MESSAGES[problem], { cause });
    this.problem = problem;
  }
}
