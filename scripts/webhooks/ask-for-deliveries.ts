import { operatorCertificates } from '@gatehouse/cli/service/operator-certificates';
import { connect } from '@gatehouse/kit/rpc';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { DeliveriesOptions } from './arguments.ts';
import { deliveries } from './deliveries.ts';

/** Connects as the operator, and prints why executions of a webhook posted nothing. */
export async function askForDeliveries(options: DeliveriesOptions): Promise<void> {
  const { address } = options;
  const certificates = operatorCertificates(process.env, address);
  const tls = certificates && { certificates, peer: 'webhook-delivery' };
  const connection = connect(WebhookDeliveryServiceDefinition, { address, transport: 'unary', tls });
  try {
    await deliveries(connection.client, options);
  } finally {
    connection.close();
    certificates?.close();
  }
}
