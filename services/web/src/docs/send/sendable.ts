/** What the page needs to send an operation's request. The build writes it into the page. */
export interface Sendable {
  /** With `{names}`, below /api/v1. */
  readonly path: string;
  readonly parameters: readonly SendableParameter[];
  /** Whether the session is sent, if there is one. */
  readonly takes_session: boolean;
}

export interface SendableParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly is_required: boolean;
  readonly type: string;
}
