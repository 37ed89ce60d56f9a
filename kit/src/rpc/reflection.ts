import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';
import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import type { Implementation } from './dispatch.ts';

/** Lets grpcurl and the like ask a port what it serves. */
export function addReflection(server: Server, implementations: readonly Implementation[]): void {
  const folders = new Set([
    'kit/v1',
    ...implementations.map(({ service }) => packageFolder(service.fullName)),
  ]);
  const files = [...folders].flatMap((folder) =>
    readdirSync(join(protoRoot, folder))
      .filter((file) => file.endsWith('.proto'))
      .map((file) => `${folder}/${file}`),
  );
  const definition = loadSync(files, { includeDirs: [protoRoot], keepCase: true });
  new ReflectionService(definition).addToServer(server);
}

/** "gatehouse.auth.v1.AuthService" → "gatehouse/auth/v1" */
function packageFolder(fullName: string): string {
  return fullName.split('.').slice(0, -1).join('/');
}
