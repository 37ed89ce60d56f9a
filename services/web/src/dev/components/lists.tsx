import { Avatar } from '../../shared/ui/avatar.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Name } from '../../shared/ui/name.tsx';
import { Row, Rows } from '../../shared/ui/rows.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';

const TABS = [
  { href: '#webhooks', text: 'Webhooks', isCurrent: true },
  { href: '#bots', text: 'Bots', isCurrent: false },
  { href: '#members', text: 'Members and roles', isCurrent: false },
];

const NAMES = [
  'Ada',
  'مرحبا بكم في Gatehouse',
  '<script>alert(1)</script>',
  'Family 👨‍👩‍👧‍👦 of four 🏳️‍🌈',
  'A name of a hundred characters, which is as long as a name of a guild or of a webhook can be at all.',
];

export function Lists() {
  return (
    <>
      <Tabs label="Example" tabs={TABS} />
      <Rows>
        <Row
          title={<strong>Alertmanager</strong>}
          avatar={<Avatar name="Alertmanager" />}
          details="#alerts, made by Ada two days ago"
          actions={
            <>
              <Badge>Works</Badge>
              <Button label="Edit Alertmanager">Edit</Button>
            </>
          }
        />
        <Row
          title={<strong>Status page</strong>}
          avatar={<Avatar name="Status page" />}
          details="#general"
          actions={<Badge kind="warning">Slow</Badge>}
        />
        <Row title={<strong>Grafana</strong>} actions={<Badge kind="danger">Fails</Badge>} />
        <Row title={<strong>GitLab</strong>} actions={<Badge kind="neutral">Never used</Badge>} />
      </Rows>
      <Table caption="Deliveries of the last day" columns={['Time', 'Outcome', 'Reason']}>
        <tr>
          <td>12:00</td>
          <td>Delivered</td>
          <td>–</td>
        </tr>
        <tr>
          <td>12:05</td>
          <td>Refused</td>
          <td>The embed has too many fields</td>
        </tr>
      </Table>
    </>
  );
}

export function Names() {
  return (
    <Rows>
      {NAMES.map((name) => (
        <Row
          key={name}
          title={<Name text={name} />}
          avatar={<Avatar name={name} />}
          details={<Name text={name} isOneLine />}
        />
      ))}
      <Row
        title="Sizes"
        avatar={<Avatar name="Small" size="small" />}
        actions={<Avatar name="Large" size="large" />}
      />
    </Rows>
  );
}
