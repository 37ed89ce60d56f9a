import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';

/** How many rows of each file the fake services have; a page has 100. */
export const ROWS: Readonly<Record<string, number>> = { messages: 2_500, guilds: 3 };
const PAGE = 100;

/** The peers of auth that have data of accounts, on real ports. */
export interface FakeData {
  readonly addresses: {
    readonly chat_address: string;
    readonly oauth2_address: string;
    readonly webhook_delivery_address: string;
  };
  /** Runs before each page. Throws to refuse it. */
  onPage: (account_id: string, file: string) => Promise<void>;
  close(): Promise<void>;
}

export async function serveData(): Promise<FakeData> {
  const exportAccount = async ({
    account_id,
    file,
    after,
  }: {
    account_id: string;
    file: string;
    after?: string | null | undefined;
  }) => {
    await data.onPage(account_id, file);
    const from = Number(after ?? 0);
    const to = Math.min(from + PAGE, ROWS[file] ?? 1);
    const rows = Array.from({ length: to - from }, (_, index) => JSON.stringify({ file, row: from + index }));
    return { rows: rows.join(',\n'), ...(to < (ROWS[file] ?? 1) && { next: String(to) }) };
  };
  const start = (implementation: ReturnType<typeof implement>) =>
    serve({ address: '127.0.0.1:0', implementations: [implementation], log: silentLogger });
  const servers: Running[] = [
    await start(implement(ChatServiceDefinition, someHandlers(ChatServiceDefinition, { exportAccount }))),
    await start(
      implement(
        Oauth2ServiceDefinition,
        someHandlers(Oauth2ServiceDefinition, { exportAccount, endAccount: () => ({}) }),
      ),
    ),
    await start(
      implement(
        WebhookDeliveryServiceDefinition,
        someHandlers(WebhookDeliveryServiceDefinition, { exportAccount }),
      ),
    ),
  ];
  const [chat_address = '', oauth2_address = '', webhook_delivery_address = ''] = servers.map(
    ({ address }) => address,
  );
  const data: FakeData = {
    addresses: { chat_address, oauth2_address, webhook_delivery_address },
    onPage: () => Promise.resolve(),
    close: async () => {
      for (const server of servers) await server.close();
    },
  };
  return data;
}
