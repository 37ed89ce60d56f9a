import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres';
import { openPool } from '@gatehouse/kit/db/pool';
import { silentLogger } from '@gatehouse/kit/log';
import { connect } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { expect, onTestFinished, test } from 'vitest';
import { serveMedia } from '../../media/client/test/fake-media.ts';
import { onePixel, pictureHash } from '../../media/client/test/pictures.ts';
import { handOverPictures } from '../src/pictures/hand-over-pictures.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

test('a media that does not answer keeps no connection at the end, and the picture stays', async () => {
  const database = await testDatabase(MIGRATIONS, 'hand_over_pictures');
  onTestFinished(database.drop);
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  onTestFinished(() => db.end());
  const media = await serveMedia();
  onTestFinished(media.close);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  media.answers.importPicture = (_, call) => {
    ask();
    return new Promise((_answer, reject) => call.signal.addEventListener('abort', reject));
  };
  const connection = connect(MediaServiceDefinition, { address: media.address });
  onTestFinished(() => connection.close());
  const bytes = onePixel('old');
  await db.query("INSERT INTO accounts (id, username, username_key) VALUES (1, 'one', 'one')");
  await db.query(
    `INSERT INTO pictures (account_id, kind, hash, content_type, bytes) VALUES (1, 'avatar', $1, 'image/png', $2)`,
    [pictureHash(bytes), bytes],
  );

  const job = handOverPictures(db, connection.client, silentLogger);
  await asked;
  await job.close();
  expect(db.totalCount - db.idleCount, 'connections in use').toBe(0);
  expect((await db.query('SELECT FROM pictures')).rowCount).toBe(1);
});
