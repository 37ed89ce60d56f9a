import { ApiError, callWithForm, callWithToken } from '../../shared/api/api.ts';
import type { TryRequest } from './try-requests.ts';

/** An answer to be looked at, refusals too. */
export interface TryAnswer {
  readonly status: number;
  /** Empty: the answer has no body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** @throws ApiError when there is no answer */
export async function sendRequest({ path, form, access_token = '' }: TryRequest): Promise<TryAnswer> {
  try {
    const body = form
      ? await callWithForm<TryAnswer['body'] | undefined>(path, form)
      : await callWithToken<TryAnswer['body'] | undefined>(path, access_token);
    return { status: 200, body: body ?? {} };
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return { status: error.status, body: error.body };
    throw error;
  }
}
