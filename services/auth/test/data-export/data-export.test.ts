import { faultOf } from '@gatehouse/dev-env/faults';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { type Person, person, personWithTotp } from '../factors.ts';
import { mailsTo } from '../mails.ts';
import { type FakeData, ROWS, serveData } from './fake-data.ts';

let service: AuthUnderTest;
let elsewhere: Auth;
let data: FakeData;
beforeAll(async () => {
  data = await serveData();
  service = await startAuth('auth_data_export', { config: data.addresses });
  elsewhere = await service.replica();
});
afterAll(async () => {
  await service.close();
  await data.close();
});
afterEach(() => {
  data.onPage = () => Promise.resolve();
});

const as = ({ caller }: Pick<Person, 'caller'>) => ({ ...IN_TIME, caller });
const request = async (who: Person, auth = service.auth) =>
  (await auth.startDataExport({ password: who.password }, as(who))).export;
const stateOf = async (who: Person) => {
  const { export: state } = await service.auth.getDataExport({}, as(who));
  if (state === null) throw new Error('no state came');
  return state;
};
const until = (who: Person, status: string) =>
  expect.poll(async () => (await stateOf(who)).status, { timeout: 30_000, interval: 50 }).toBe(status);

/** The files of a ready archive, read part by part in sudo mode. */
async function download(who: Person): Promise<Record<string, string>> {
  await service.auth.createSudoGrant({ password: who.password }, as(who));
  const parts: Uint8Array[] = [];
  for (;;) {
    const read = service.auth.readDataExport({ part: parts.length }, as(who));
    const bytes = await read.then(
      (answer) => answer.bytes,
      () => undefined,
    );
    if (bytes === undefined) break;
    parts.push(bytes);
  }
  const archive = Buffer.concat(parts);
  expect(archive).toHaveLength((await stateOf(who)).size ?? 0);
  return Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([path, bytes]) => [path, strFromU8(bytes)]),
  );
}

/** Lets the export of one account wait before its messages, until the returned function is called. */
function holdMessagesOf({ user_id }: Person): {
  readonly reached: Promise<void>;
  readonly release: () => void;
} {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  data.onPage = async (account_id, file) => {
    if (account_id !== user_id || file !== 'messages') return;
    reached.resolve();
    await released.promise;
  };
  return { reached: reached.promise, release: released.resolve };
}

/** As if the replica that makes the export had died and its lease had ended. */
async function endLease({ user_id }: Person): Promise<void> {
  await service.db.query('UPDATE data_exports SET next_attempt_at = now() WHERE account_id = $1', [user_id]);
}

describe('an export', () => {
  test('has everything of every service, the owner’s mail, and a README', async () => {
    const who = await person(service.auth);
    service.media.answers.exportPicture = ({ after }) =>
      after == null
        ? { name: 'avatar-0', content_type: 'image/png', bytes: Buffer.from('a picture') }
        : { content_type: '', bytes: Buffer.alloc(0) };
    expect(await stateOf(who)).toMatchObject({ status: 'none', progress: 0 });
    expect(await request(who)).toMatchObject({ status: 'preparing' });
    await until(who, 'ready');
    const files = await download(who);
    const lists = Object.keys(files).filter((path) => path.endsWith('.json'));
    for (const path of lists) expect(JSON.parse(files[path] ?? ''), path).toBeInstanceOf(Array);
    expect(lists).toHaveLength(14);
    expect(JSON.parse(files['messages.json'] ?? '')).toHaveLength(ROWS.messages ?? 0);
    expect(JSON.parse(files['account.json'] ?? '')).toMatchObject([{ id: who.user_id, email: who.email }]);
    expect(JSON.parse(files['sessions.json'] ?? '').length).toBeGreaterThan(0);
    expect(files['pictures/avatar.png']).toBe('a picture');
    for (const path of lists) expect(files['README.txt']).toContain(path);
    await mailsTo(service.mail_dir, who.email, 2); // the first is that of the registration
  });

  test('has no secret, and no hash of one', async () => {
    // With the code of the current step: that of the step before may expire on the way.
    const who = await personWithTotp(service.auth);
    const { rows } = await service.db.query(
      `SELECT password_hash AS secret FROM accounts WHERE id = $1
       UNION ALL SELECT encode(token_hash, 'hex') FROM sessions WHERE account_id = $1
       UNION ALL SELECT encode(secret, 'hex') FROM totp_factors WHERE account_id = $1
       UNION ALL SELECT encode(code_mac, 'hex') FROM backup_codes WHERE account_id = $1`,
      [who.user_id],
    );
    await service.auth.startDataExport({ mfa_code: who.codes[0] ?? '' }, as(who));
    await until(who, 'ready');
    await service.auth.createSudoGrant({ mfa_code: who.codes[1] ?? '' }, as(who));
    const { bytes } = await service.auth.readDataExport({}, as(who));
    const text = Object.values(unzipSync(bytes))
      .map((file) => strFromU8(file))
      .join('\n');
    const planted = [...rows.map(({ secret }) => secret), ...who.codes, who.secret, who.password];
    for (const secret of planted) expect(text).not.toContain(secret);
    expect(text).toContain('authenticator app');
  });

  test('asked for 20 times at once at two replicas is made once, and again a day later', async () => {
    const who = await person(service.auth);
    const hold = holdMessagesOf(who);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => request(who, index % 2 === 0 ? service.auth : elsewhere)),
    );
    expect(new Set(answers.map((answer) => answer?.requested_at)).size).toBe(1);
    hold.release();
    await until(who, 'ready');
    const { available_at } = await stateOf(who);
    expect(await faultOf(request(who))).toMatchObject({
      reason: 'EXPORT_TOO_SOON',
      members: { available_at },
    });
    const { rows } = await service.db.query('SELECT attempts FROM data_exports WHERE account_id = $1', [
      who.user_id,
    ]);
    expect(rows).toEqual([{ attempts: 1 }]);
    await service.db.query(
      "UPDATE data_exports SET requested_at = now() - interval '1 day' WHERE account_id = $1",
      [who.user_id],
    );
    expect(await request(who)).toMatchObject({ status: 'preparing' });
    await until(who, 'ready');
  });

  test('is continued by another replica, and the first one can write no more', async () => {
    const who = await person(service.auth);
    const hold = holdMessagesOf(who);
    await request(who);
    await hold.reached;
    data.onPage = () => Promise.resolve();
    await endLease(who);
    await until(who, 'ready');
    hold.release();
    const files = await download(who);
    expect(JSON.parse(files['messages.json'] ?? '')).toHaveLength(ROWS.messages ?? 0);
    await mailsTo(service.mail_dir, who.email, 2);
  });

  test('ends with its account, in the middle too', async () => {
    const who = await person(service.auth);
    const hold = holdMessagesOf(who);
    await request(who);
    await hold.reached;
    await service.auth.deleteCurrentUser({ password: who.password }, as(who));
    hold.release();
    for (const table of ['data_exports', 'data_export_chunks']) {
      const { rows } = await service.db.query(`SELECT FROM ${table} WHERE account_id = $1`, [who.user_id]);
      expect(rows).toEqual([]);
    }
  });

  test('that fails five times says so, and can be requested again at once', async () => {
    const who = await person(service.auth);
    data.onPage = async (account_id) => {
      if (account_id === who.user_id) throw new Error('no data today');
    };
    await request(who);
    await expect
      .poll(
        async () => {
          await endLease(who);
          return (await stateOf(who)).status;
        },
        { timeout: 40_000, interval: 300 },
      )
      .toBe('failed');
    data.onPage = () => Promise.resolve();
    expect(await request(who)).toMatchObject({ status: 'preparing' });
    await until(who, 'ready');
  });

  test('is gone after seven days, also before the retention job', async () => {
    const who = await person(service.auth);
    await request(who);
    await until(who, 'ready');
    const { ready_at, expires_at } = await stateOf(who);
    expect(Date.parse(expires_at ?? '') - Date.parse(ready_at ?? '')).toBe(7 * 86_400_000);
    await service.db.query('UPDATE data_exports SET expires_at = now() WHERE account_id = $1', [who.user_id]);
    expect(await stateOf(who)).toMatchObject({ status: 'none' });
    await service.auth.createSudoGrant({ password: who.password }, as(who));
    expect(await faultOf(service.auth.readDataExport({}, as(who)))).toMatchObject({ reason: 'NOT_FOUND' });
  });
});

test('asking and reading need sudo mode', async () => {
  const who = await person(service.auth);
  const needed = { reason: 'SUDO_MODE_REQUIRED' };
  expect(await faultOf(service.auth.startDataExport({}, as(who)))).toMatchObject(needed);
  expect(await faultOf(service.auth.readDataExport({}, as(who)))).toMatchObject(needed);
});
