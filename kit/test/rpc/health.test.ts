import {
  HealthCheckRequest,
  HealthCheckResponse,
  HealthDefinition,
  HealthListResponse,
  HealthCheckResponse_ServingStatus as Serving,
} from '@gatehouse/proto/grpc/health';
import { Client, credentials, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { Status } from '../../src/fault.ts';
import { methodPath } from '../../src/rpc/definition.ts';
import { atEnd, client, start } from '../support/echo-service.ts';

const same = (bytes: Buffer): Buffer => bytes;
const path = (method: 'check' | 'watch' | 'list'): string =>
  methodPath(HealthDefinition, HealthDefinition.methods[method]);
const request = (service: string): Buffer => Buffer.from(HealthCheckRequest.encode({ service }).finish());

function plainClient(address: string): Client {
  const plain = new Client(address, credentials.createInsecure());
  atEnd(() => plain.close());
  return plain;
}

function ask(plain: Client, method: 'check' | 'list', bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    plain.makeUnaryRequest(path(method), same, same, bytes, (error: ServiceError | null, response) => {
      if (error === null && response !== undefined) resolve(response);
      else reject(error);
    });
  });
}

it('reports the server and each of its services as SERVING, and others as not found', async () => {
  const { address } = await start((echoed) => echoed);
  const plain = plainClient(address);
  for (const service of ['', 'kit.v1.Json']) {
    const answer = await ask(plain, 'check', request(service));
    expect(HealthCheckResponse.decode(answer)).toEqual({ status: Serving.SERVING });
  }
  await expect(ask(plain, 'check', request('kit.v1.Nothing'))).rejects.toMatchObject({
    code: Status.NOT_FOUND,
  });
  const { statuses } = HealthListResponse.decode(await ask(plain, 'list', Buffer.alloc(0)));
  const serving = { status: Serving.SERVING };
  expect(statuses).toEqual({ '': serving, 'kit.v1.Json': serving });
});

it('notifies a watch at once and of the shutdown, and is not delayed by it', async () => {
  const server = await start((echoed) => echoed);
  const plain = plainClient(server.address);
  const statusesByService: Record<string, unknown[]> = { 'kit.v1.Json': [], 'kit.v1.Nothing': [] };
  const ended: Promise<StatusObject>[] = [];
  for (const [service, statuses] of Object.entries(statusesByService)) {
    const watch = plain.makeServerStreamRequest(path('watch'), same, same, request(service));
    watch.on('data', (bytes: Buffer) => statuses.push(HealthCheckResponse.decode(bytes).status));
    ended.push(new Promise((resolve) => watch.on('status', resolve)));
  }
  await expect
    .poll(() => statusesByService)
    .toEqual({ 'kit.v1.Json': [Serving.SERVING], 'kit.v1.Nothing': [Serving.SERVICE_UNKNOWN] });
  await server.close();
  for (const status of await Promise.all(ended)) expect(status.code).toBe(Status.OK);
  expect(statusesByService).toEqual({
    'kit.v1.Json': [Serving.SERVING, Serving.NOT_SERVING],
    'kit.v1.Nothing': [Serving.SERVICE_UNKNOWN],
  });
});

it('is read by `healthy`, which is false for a server that does not answer in time', async () => {
  const server = await start((echoed) => echoed);
  const connection = client(server.address);
  expect(await connection.healthy(5_000)).toBe(true);
  await server.close();
  expect(await connection.healthy(200)).toBe(false);
});
