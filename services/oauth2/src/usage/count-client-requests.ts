import { Fault } from '@gatehouse/kit/fault';
import { httpStatusOf } from '@gatehouse/kit/http-status';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { FailedRequest } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';

/** A token route. The edge cannot count its requests, because only oauth2 verifies the client's secret. */
interface TokenRoute {
  readonly path: string;
  readonly bucket: string;
}

/**
 * Makes a handler that counts a request (docs/oauth2.md#usage) if the client proves its secret. Public clients are not
 * counted: anybody can name their IDs.
 */
export function countClientRequests<Request, Response>(
  deps: Deps,
  route: TokenRoute,
  make: (deps: Deps) => Handler<Request, Response>,
): Handler<Request, Response> {
  return async (request, call) => {
    let subject: string | undefined;
    const secretUses: Deps['secretUses'] = {
      note: (used) => {
        subject = used.application_id;
        deps.secretUses.note(used);
      },
    };
    const count = (failure: FailedRequest | undefined): void => {
      if (subject !== undefined)
        deps.usage.note({ subject, group: route.bucket, is_limited: false, failure });
    };
    try {
      const response = await make({ ...deps, secretUses })(request, call);
      count(undefined);
      return response;
    } catch (error) {
      count(failedRequest(route, call, error));
      throw error;
    }
  };
}

function failedRequest({ path }: TokenRoute, { requestId }: Call, error: unknown): FailedRequest {
  const status = error instanceof Fault ? httpStatusOf(error) : undefined;
  return {
    time: new Date().toISOString(),
    method: 'POST',
    route: path,
    status: status ?? 500,
    code: error instanceof Fault && status !== undefined ? error.reason : 'INTERNAL_SERVER_ERROR',
    request_id: requestId,
  };
}
