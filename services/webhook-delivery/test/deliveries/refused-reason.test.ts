import {
  cancelled,
  deadlineExceeded,
  Fault,
  internal,
  invalidForm,
  Status,
  unavailable,
} from '@gatehouse/kit/fault';
import { expect, it } from 'vitest';
import { refusedReason } from '../../src/deliveries/refused-reason.ts';
import { brokenPayload, emptyPayload, multipartRefused, tooManyEmbeds } from '../../src/errors.ts';

const invalid = (path: string, code: string) => invalidForm([{ path, code, message: 'A message.' }]);
const authored = (status: Status, reason: string) => new Fault({ status, reason, message: 'A message.' });

it.each<[reason: string | undefined, error: unknown, content_type?: string]>([
  ['multipart', multipartRefused(), 'Multipart/Form-Data; boundary=x'],
  ['broken_body', brokenPayload()],
  ['empty', emptyPayload()],
  ['empty', authored(Status.INVALID_ARGUMENT, 'CANNOT_SEND_EMPTY_MESSAGE')],
  ['over_limits', tooManyEmbeds()],
  ['over_limits', invalid('embeds.0.title', 'STRING_LENGTH_INVALID')],
  ['over_limits', invalid('content', 'CONTENT_EXCEEDS_MAX_LENGTH')],
  ['over_limits', invalid('embeds', 'EMBEDS_EXCEED_MAX_CHARACTERS')],
  ['invalid', invalid('embeds.0.url', 'INVALID_FORMAT')],
  ['invalid', authored(Status.INVALID_ARGUMENT, 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER')],
  ['guild_disabled', authored(Status.PERMISSION_DENIED, 'GUILD_DISABLED')],
  [undefined, authored(Status.FAILED_PRECONDITION, 'WEBHOOK_CHECK_OUTDATED')],
  ['channel_gone', authored(Status.NOT_FOUND, 'NOT_FOUND')],
  ['unavailable', unavailable()],
  ['unavailable', deadlineExceeded()],
  ['failed', internal()],
  ['failed', new TypeError('a mistake')],
  [undefined, cancelled()],
])('%s is the reason of %o', (reason, error, contentType) => {
  expect(refusedReason(error, contentType)).toBe(reason);
});
