import { ApiError, callWithForm, callWithToken } from '../../shared/api/api.ts';
import type { TryRequest } from './try-requests.ts';

/** A response to show, whether success or error. */
export interface TryResponse {
  readonly status: number;
  /** Empty if the response has no body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** @throws ApiError if there is no response */
export async function sendRequest({ path, form, access_token = '' }: TryRequest): Promise<TryResponse> {
  try {
    const body = form
      ? await callWithForm<TryResponse['body'] | undefined>(path, form)
      : await callWithToken<TryResponse['body'] | undefined>(path, access_token);
    return { status: 200, body: body ?? {} };
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return { status: error.status, body: error.body };
    throw error;
  }
}
