import { ApiError } from '../../shared/api/api-error.ts';

/** A mail in the list. Texts are empty if the file cannot be read. */
export interface ListedMail {
  readonly id: string;
  /** Addresses, separated by commas. */
  readonly to: string;
  readonly subject: string;
  readonly sent_at: string | null;
}

export interface MailList {
  /** The newest first. */
  readonly mails: readonly ListedMail[];
  readonly total: number;
}

export interface Mail extends ListedMail {
  readonly from: string;
  readonly text: string | null;
  readonly has_html: boolean;
  readonly source: string;
  /** Whether the source is longer than what is shown of it. */
  readonly is_cut: boolean;
}

const MAILS = '/dev/mail/messages';
const TIMEOUT_MS = 20_000;

export const loadMails = () => send<MailList>('GET', MAILS);
export const loadMail = (id: string) => send<Mail>('GET', `${MAILS}/${id}`);
/** Deletes a mail and all that are older. */
export const deleteMails = (newest_id: string) => send<undefined>('DELETE', `${MAILS}?up_to=${newest_id}`);

/** The address of a mail's HTML, for a frame. */
export const htmlAddress = (id: string) => `${MAILS}/${id}/html`;

/** These addresses are outside the API. @throws ApiError */
async function send<T>(method: string, path: string): Promise<T> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(path, { method, signal, credentials: 'omit', cache: 'no-store' });
    if (!response.ok) throw new ApiError(response.status, {});
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, {});
  }
}
