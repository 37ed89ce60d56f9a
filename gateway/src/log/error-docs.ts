import { Fault, Status } from '@gatehouse/kit/fault';
import { httpStatusOf } from '@gatehouse/kit/http-status';
import { ERRORS, type ErrorRow } from '@gatehouse/proto/errors';

/** The reference of the error that a client got for a failure; undefined for errors that are not documented. */
export type ErrorDocs = (failure: unknown) => string | undefined;

/** Makes the function that finds a row of docs/errors.md, which the web app shows too. */
export function errorDocs(web_app_url: string): ErrorDocs {
  const urlOf = (code: string): string => `${web_app_url}/docs/errors#${code}`;
  const unexpected = urlOf('INTERNAL_SERVER_ERROR');
  const rows: [string, ErrorRow][] = Object.entries(ERRORS);
  const urls = new Map(
    rows.map(([reason, { grpc, when }]) => {
      const isPublic = httpStatusOf({ reason, status: Status[grpc] }) !== undefined;
      return [reason, !isPublic ? unexpected : when === undefined ? undefined : urlOf(reason)];
    }),
  );
  return (failure) => (failure instanceof Fault ? urls.get(failure.reason) : unexpected);
}
