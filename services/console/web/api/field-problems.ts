import { ApiError } from '@gatehouse/web/shared/api/api-error.ts';

/** An error as of the API, with messages for members of a form that the page has checked itself. */
export function fieldProblems(messages: Readonly<Record<string, string>>): ApiError {
  const errors = Object.entries(messages).map(([path, message]) => ({
    path,
    code: 'INVALID_FORMAT',
    message,
  }));
  return new ApiError(400, { code: 'INVALID_FORM_BODY', errors });
}
