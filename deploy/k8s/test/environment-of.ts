import { type Container, type KubernetesObject, ofKind } from './objects.ts';

/** Values of secrets, with which the settings of a process are complete. */
export const SOME_SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://gatehouse_x:password@postgres/gatehouse',
  ADMIN_DATABASE_URL: 'postgres://postgres:password@postgres/postgres',
  AUTH_SECRET_KEY: 'x'.repeat(32),
  CONSOLE_SECRET_KEY: 'x'.repeat(32),
  SMTP_URL: 'smtps://user:password@mail.example.com',
  REDIS_URL: 'redis+cluster://redis.example.com:6379',
  RATELIMIT_KEY_SECRET: 'x'.repeat(32),
};

/** The environment of a container's process, with some secrets. */
export function environmentOf(
  container: Container | undefined,
  objects: readonly KubernetesObject[],
): Record<string, string> {
  const { env = [], envFrom = [] } = container ?? {};
  const maps = envFrom.map(({ configMapRef }) =>
    ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name),
  );
  return Object.assign(
    {},
    ...maps.map((map) => map?.data),
    ...env.map(({ name, value, valueFrom }) => ({
      [name]: value ?? SOME_SECRETS[valueFrom?.secretKeyRef.key ?? ''],
    })),
  );
}
