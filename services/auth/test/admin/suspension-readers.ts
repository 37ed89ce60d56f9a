import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { silentLogger } from '@gatehouse/kit/log';
import { type Implementation, implement, serve } from '@gatehouse/kit/rpc';
import { Oauth2ServiceDefinition, type SetAccountSuspendedRequest } from '@gatehouse/proto/oauth2';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';

/** The other end of SetAccountSuspended. It keeps the newest version of each account. */
export class SuspensionReader {
  readonly calls: SetAccountSuspendedRequest[] = [];
  readonly #newest = new Map<string, SetAccountSuspendedRequest>();
  readonly #server: Awaited<ReturnType<typeof serve>>;
  /** Awaited by each call before it answers. */
  answer: () => Promise<unknown> = async () => undefined;

  private constructor(server: Awaited<ReturnType<typeof serve>>) {
    this.#server = server;
  }

  static async start(
    implementation: (
      setAccountSuspended: (request: SetAccountSuspendedRequest) => Promise<object>,
    ) => Implementation,
  ): Promise<SuspensionReader> {
    let reader: SuspensionReader | undefined;
    const handler = async (request: SetAccountSuspendedRequest) => reader?.note(request) ?? {};
    const implementations = [implementation(handler)];
    const server = await serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
    reader = new SuspensionReader(server);
    return reader;
  }

  get address(): string {
    return this.#server.address;
  }

  /** Undefined: nothing is known of the account. */
  isSuspended(account_id: string): boolean | undefined {
    return this.#newest.get(account_id)?.suspended;
  }

  async note(request: SetAccountSuspendedRequest): Promise<object> {
    await this.answer();
    this.calls.push(request);
    const known = this.#newest.get(request.account_id);
    if (known === undefined || known.version < request.version) this.#newest.set(request.account_id, request);
    return {};
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

export function startOauth2(): Promise<SuspensionReader> {
  return SuspensionReader.start((setAccountSuspended) =>
    implement(Oauth2ServiceDefinition, someHandlers(Oauth2ServiceDefinition, { setAccountSuspended })),
  );
}

export function startWebhookDelivery(): Promise<SuspensionReader> {
  return SuspensionReader.start((setAccountSuspended) =>
    implement(
      WebhookDeliveryServiceDefinition,
      someHandlers(WebhookDeliveryServiceDefinition, { setAccountSuspended }),
    ),
  );
}
