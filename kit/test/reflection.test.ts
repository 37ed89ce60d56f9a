import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { describe, expect, it } from 'vitest';
import { run } from './support/child.ts';
import { atEnd, start } from './support/echo-service.ts';

const protos = fileURLToPath(new URL('../proto', import.meta.resolve('@grpc/reflection')));

describe.each(['v1', 'v1alpha'] as const)('grpc.reflection.%s', (version) => {
  /** Asks as grpcurl does. */
  async function ask(address: string, question: object): Promise<Record<string, unknown>> {
    const file = join('grpc', 'reflection', version, 'reflection.proto');
    const loaded = loadPackageDefinition(loadSync(file, { includeDirs: [protos], keepCase: true }));
    const { grpc } = loaded as unknown as {
      grpc: { reflection: Record<string, { ServerReflection: ServiceClientConstructor }> };
    };
    const Reflection = grpc.reflection[version]?.ServerReflection as ServiceClientConstructor;
    const client = new Reflection(address, credentials.createInsecure());
    atEnd(() => client.close());
    const stream = client.ServerReflectionInfo?.();
    return new Promise((resolve, reject) => {
      stream.on('data', (answer: Record<string, unknown>) => {
        resolve(answer);
        stream.end();
      });
      stream.on('error', reject);
      stream.write({ host: '', ...question });
    });
  }

  it('names the services and gives their files', async () => {
    const { address } = await start((request) => request);
    const { list_services_response } = await ask(address, { list_services: '' });
    const { service } = list_services_response as { service: { name: string }[] };
    const names = service.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['kit.v1.Calls', 'grpc.health.v1.Health']));
    const { file_descriptor_response } = await ask(address, { file_containing_symbol: 'kit.v1.Calls' });
    const { file_descriptor_proto } = file_descriptor_response as { file_descriptor_proto: Buffer[] };
    expect(Buffer.concat(file_descriptor_proto).toString('latin1')).toContain('AnswerFrame');
  });
});

it('costs nothing until it is asked: a server does not load what answers', async () => {
  const server = run('loaded-modules.ts');
  expect(await server.exit, server.errors()).toBe(0);
  const loaded = server.output();
  expect(loaded).toContain('@grpc/grpc-js');
  for (const name of ['@grpc/proto-loader', '@grpc/reflection', 'protobufjs'])
    expect(loaded).not.toContain(name);
});
