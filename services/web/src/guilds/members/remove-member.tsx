import type { Member } from '@gatehouse/proto/chat';
import { Confirm } from '../../shared/confirm.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { callForTab, type ManagedGuild } from '../managed-guild.ts';
import { memberName } from './member-name.ts';

/** Asks before a member is removed from the guild. */
export function RemoveMember(props: {
  guild: ManagedGuild;
  member: Member;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const { guild, member, onClose, onRemoved } = props;
  const name = memberName(member);
  return (
    <Confirm
      title={i18n._('Remove {name}?', { name })}
      submit={i18n._('Remove')}
      onClose={onClose}
      act={async () => {
        await callForTab('DELETE', `/guilds/${guild.id}/members/${member.user?.id}`);
        onRemoved();
      }}
    >
      <p>
        <Trans
          id="{name} leaves {guild} at once and loses all roles there. With an invite they can join again."
          values={{ name: <bdi>{name}</bdi>, guild: <bdi>{guild.name}</bdi> }}
        />
      </p>
    </Confirm>
  );
}
