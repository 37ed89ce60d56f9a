import { FileDescriptorProto } from '@gatehouse/proto/google/protobuf/descriptor';
import {
  ServerReflectionRequest as Request,
  ServerReflectionResponse as Response,
} from '@gatehouse/proto/grpc/reflection';
import { Client, credentials, status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { run } from '../support/child.ts';
import { atEnd, start } from '../support/echo-service.ts';

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes);

describe.each(['v1', 'v1alpha'])('grpc.reflection.%s', (version) => {
  async function open() {
    const { address } = await start((request) => request);
    const client = new Client(address, credentials.createInsecure());
    atEnd(() => client.close());
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    return client.makeBidiStreamRequest(path, asBuffer, (bytes) => bytes);
  }

  /** Answers to requests on one stream, in order. */
  async function ask(...questions: Partial<Request>[]): Promise<Response[]> {
    const stream = await open();
    for (const question of questions)
      stream.write(
        Request.encode({ ...Request.decode(new Uint8Array()), host: 'here', ...question }).finish(),
      );
    stream.end();
    const answers: Response[] = [];
    for await (const bytes of stream) answers.push(Response.decode(bytes));
    return answers;
  }

  const filesOf = ({ file_descriptor_response }: Response): string[] =>
    file_descriptor_response?.file_descriptor_proto.map(
      (bytes) => FileDescriptorProto.decode(bytes).name ?? '',
    ) ?? [];

  it('names the services, its own among them', async () => {
    const [answer] = await ask({ list_services: '*' });
    expect(answer?.valid_host).toBe('here');
    expect(answer?.original_request?.list_services).toBe('*');
    const names = answer?.list_services_response?.service.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'kit.v1.Calls',
        'grpc.health.v1.Health',
        `grpc.reflection.${version}.ServerReflection`,
      ]),
    );
  });

  it.each([
    ['a service', 'gatehouse.chat.v1.ChatService', 'gatehouse/chat/v1/chat.proto'],
    ['a method', 'grpc.health.v1.Health.Check', 'grpc/health/v1/health.proto'],
    ['a nested enum', 'grpc.health.v1.HealthCheckResponse.ServingStatus', 'grpc/health/v1/health.proto'],
    ['a value of an enum', 'grpc.health.v1.HealthCheckResponse.SERVING', 'grpc/health/v1/health.proto'],
    ['a type of error details', 'google.rpc.BadRequest', 'google/rpc/error_details.proto'],
    ['a type of Google', 'google.protobuf.Any', 'google/protobuf/any.proto'],
  ])('finds the file of %s', async (_, file_containing_symbol, file) => {
    const [answer] = await ask({ file_containing_symbol });
    expect(answer && filesOf(answer)[0]).toBe(file);
  });

  it('returns a file with all its imports, and none twice on a stream', async () => {
    const [first, second] = await ask(
      { file_by_filename: 'google/rpc/status.proto' },
      { file_by_filename: 'gatehouse/chat/v1/chat.proto' },
    );
    expect(first && filesOf(first)).toEqual(['google/rpc/status.proto', 'google/protobuf/any.proto']);
    const files = second ? filesOf(second) : [];
    expect(files).toEqual(expect.arrayContaining(['kit/v1/json.proto', 'google/protobuf/descriptor.proto']));
    expect(files).not.toContain('google/protobuf/any.proto');
    const [third] = (await ask({ file_by_filename: 'google/protobuf/any.proto' })).map(filesOf);
    expect(third).toEqual(['google/protobuf/any.proto']);
  });

  it('finds extensions by number', async () => {
    const containing_type = 'google.protobuf.FieldOptions';
    const [all] = await ask({ all_extension_numbers_of_type: containing_type });
    const numbers = all?.all_extension_numbers_response?.extension_number ?? [];
    const files: string[] = [];
    for (const extension_number of numbers) {
      const [one] = await ask({ file_containing_extension: { containing_type, extension_number } });
      files.push(...(one === undefined ? [] : filesOf(one).slice(0, 1)));
    }
    expect(files.sort()).toEqual(['kit/v1/json.proto', 'kit/v1/schema.proto']);
  });

  it('answers unknown names with an error response, and the stream continues', async () => {
    const extension = { containing_type: 'google.protobuf.FieldOptions', extension_number: -1 };
    const answers = await ask(
      { file_containing_symbol: 'gatehouse.nothing' },
      { file_containing_symbol: '' },
      { file_by_filename: '../../package.json' },
      { file_containing_extension: extension },
      { all_extension_numbers_of_type: 'constructor' },
      {},
      { list_services: '' },
    );
    const codes = answers.map(({ error_response }) => error_response?.error_code);
    const { NOT_FOUND, INVALID_ARGUMENT } = status;
    expect(codes).toEqual([...new Array(5).fill(NOT_FOUND), INVALID_ARGUMENT, undefined]);
  });

  it('refuses malformed requests', async () => {
    const stream = await open();
    const failed = new Promise((resolve) => stream.on('error', resolve));
    stream.on('data', () => undefined);
    stream.write(new Uint8Array([0x1a, 0xff]));
    expect(await failed).toMatchObject({ code: status.INVALID_ARGUMENT });
  });
});

it('costs nothing until it is used: a server does not load its code', async () => {
  const server = run('loaded-modules.ts');
  expect(await server.exit, server.errors()).toBe(0);
  const loaded = server.output();
  expect(loaded).toContain('@grpc/grpc-js');
  for (const name of ['@grpc/proto-loader', 'protobufjs', 'contract-files.ts', 'protobuf/descriptor.ts'])
    expect(loaded).not.toContain(name);
});
