import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres';
import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { openPool } from '@gatehouse/kit/db/pool';
import { silentLogger } from '@gatehouse/kit/log';
import { connect, implement, serve } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { expect, onTestFinished, test } from 'vitest';
import { handOverAvatars } from '../src/webhooks/hand-over-avatars.ts';
import { onePixel, pictureHash } from './serve-media.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

test('a media that does not answer keeps no connection at the end, and the picture stays', async () => {
  const database = await testDatabase(MIGRATIONS, 'hand_over_avatars');
  onTestFinished(database.drop);
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  onTestFinished(() => db.end());
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const handlers = someHandlers(MediaServiceDefinition, {
    importPicture: (_, call) => {
      ask();
      return new Promise((_answer, reject) => call.signal.addEventListener('abort', reject));
    },
  });
  const media = await serve({
    address: '127.0.0.1:0',
    implementations: [implement(MediaServiceDefinition, handlers)],
    log: silentLogger,
  });
  onTestFinished(() => media.close());
  const connection = connect(MediaServiceDefinition, { address: media.address });
  onTestFinished(() => connection.close());
  const bytes = onePixel('old');
  await db.query(`INSERT INTO avatars (hash, content_type, bytes) VALUES ($1, 'image/png', $2)`, [
    pictureHash(bytes),
    bytes,
  ]);

  const job = handOverAvatars(db, connection.client, silentLogger);
  await asked;
  await job.close();
  expect(db.totalCount - db.idleCount, 'connections in use').toBe(0);
  expect((await db.query('SELECT FROM avatars')).rowCount).toBe(1);
});
