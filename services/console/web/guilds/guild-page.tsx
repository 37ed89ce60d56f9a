import type { AdminAuditLogEntry, AdminGuild, GetAdminGuildResponse } from '@gatehouse/proto/chat-admin';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { call } from '../api/call.ts';
import { usePages } from '../api/use-pages.ts';
import { Page } from '../frame/page.tsx';
import { AccountLink, type NamedAccount } from '../parts/account-link.tsx';
import { ActionMenu, type OfferedAction } from '../parts/action-menu.tsx';
import { Facts } from '../parts/facts.tsx';
import { OutOfUseNotice } from '../parts/out-of-use.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { When } from '../parts/when.tsx';
import { cappedText, countText } from '../text/numbers.ts';
import { auditActionText } from './audit-actions.ts';

interface Details extends GetAdminGuildResponse {
  readonly owner?: NamedAccount | null;
}

interface NamedEntry extends AdminAuditLogEntry {
  readonly user?: NamedAccount | null;
}

/** A guild: its size, its audit log, and its disablement. */
export function GuildPage({ id }: { id: string }) {
  const path = `/guilds/${encodeURIComponent(id)}`;
  const loaded = useLoaded(() => call<Details>('GET', path), [id]);
  const guild = loaded.value?.guild;
  return (
    <Page
      title={guild?.name ?? 'Guild'}
      heading={guild && <Name text={guild.name} />}
      actions={guild && <ActionMenu actions={[disabling(guild)]} onDone={loaded.reload} />}
    >
      <WhenLoaded loaded={loaded}>{(details) => <Guild details={details} />}</WhenLoaded>
    </Page>
  );
}

/** Messages are counted up to here. */
const MOST_MESSAGES = 10_000;

function Guild({ details: { guild, owner, channels, roles, messages } }: { details: Details }) {
  if (!guild) return null;
  const { id, owner_id, members, disablement } = guild;
  return (
    <>
      <OutOfUseNotice what="Disabled" state={disablement} />
      <section class="card" aria-label="Guild">
        <Facts
          facts={[
            ['ID', <code key="id">{id}</code>],
            ['State', disablement ? <Badge kind="danger">disabled</Badge> : <Badge>enabled</Badge>],
            ['Owner', <AccountLink key="owner" id={owner_id} account={owner} showsId />],
            ['Members', countText(members)],
            ['Channels', countText(channels)],
            ['Roles', countText(roles)],
            ['Messages, last 24 hours', cappedText(messages, MOST_MESSAGES)],
            [
              'Webhooks',
              <a key="webhooks" href={`/webhooks?q=${id}`}>
                Webhooks of the guild
              </a>,
            ],
          ]}
        />
      </section>
      <AuditLog guild_id={id} />
    </>
  );
}

function AuditLog({ guild_id }: { guild_id: string }) {
  const list = usePages<NamedEntry>(`/guilds/${guild_id}/audit-log`, {});
  return (
    <Card title="Audit log">
      <PagedList list={list} empty={<p class="quiet">Nothing was changed yet.</p>}>
        {(entries) => (
          <Table caption="Newest first" columns={['When', 'What', 'Who', 'Target', 'Reason']}>
            {entries.map(({ id, at_ms, action_type, user_id, user, target_id, reason }) => (
              <tr key={id}>
                <td>
                  <When ms={at_ms} />
                </td>
                <td>{auditActionText(action_type)}</td>
                <td>
                  <AccountLink id={user_id} account={user} />
                </td>
                <td>{target_id ? <code>{target_id}</code> : '–'}</td>
                <td class="prose">{reason ? <bdi>{reason}</bdi> : '–'}</td>
              </tr>
            ))}
          </Table>
        )}
      </PagedList>
    </Card>
  );
}

function disabling({ id, name, disablement }: AdminGuild): OfferedAction {
  const post = (action: string) => async (reason: string) => {
    await call('POST', `/guilds/${id}/${action}`, { reason });
    return undefined;
  };
  const enables = Boolean(disablement);
  return {
    name: enables ? 'guild.enable' : 'guild.disable',
    label: enables ? 'Enable' : 'Disable',
    kind: enables ? 'primary' : 'danger',
    title: `${enables ? 'Enable' : 'Disable'} ${name}?`,
    submit: enables ? 'Enable' : 'Disable',
    consequences: enables
      ? ['Its members can write and change things again at once.']
      : [
          'Every change in it is refused at once: messages, executions of webhooks, settings.',
          'Its members can still read. Nothing is deleted.',
        ],
    done: `${name} is ${enables ? 'enabled' : 'disabled'}.`,
    act: post(enables ? 'enable' : 'disable'),
  };
}
