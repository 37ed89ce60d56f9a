import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { callForTab } from '../managed-guild.ts';
import { type DeliveryList, firstPage, PAGE, withNewest, withNextPage } from './delivery-list.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { NothingKept } from './nothing-kept.tsx';
import { untilListed } from './until-listed.ts';
import type { Delivery, Webhook } from './webhook.ts';

interface DeliveriesProps {
  readonly guild_id: string;
  readonly webhook: Webhook;
  /** The ID of a delivery that was just made here. The list is loaded until it is there. */
  readonly newest: string | undefined;
  readonly onNewest: (id: string | undefined) => void;
}

/** What came of the requests to a webhook in the last 24 hours. */
export function Deliveries({ guild_id, webhook, newest, onNewest }: DeliveriesProps) {
  const [outcome, setOutcome] = useState('');
  const { loaded, more } = useDeliveries(webhook, outcome, newest);
  const reload = useAction(loaded.reload);
  const choose = (value: string) => {
    setOutcome(value);
    onNewest(undefined);
  };
  return (
    <section class="card">
      <h3>{i18n._('Deliveries of the last 24 hours')}</h3>
      <NothingKept guild_id={guild_id} />
      <div class="delivery-tools">
        <Select label={i18n._('Show')} value={outcome} onValue={choose} options={outcomeOptions()} />
        <ActionButton action={reload}>{i18n._('Reload')}</ActionButton>
      </div>
      <WhenLoaded loaded={loaded}>
        {({ deliveries, hasMore }) => (
          <>
            {deliveries.length === 0 && (
              <p class="quiet">
                {i18n._(
                  'There is none. If the sender has sent something, compare its address with the one above.',
                )}
              </p>
            )}
            <ul class="rows">
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  webhook={webhook}
                  delivery={delivery}
                  onSent={({ id }) => onNewest(id)}
                />
              ))}
            </ul>
            {hasMore && <ActionButton action={more}>{i18n._('Show more')}</ActionButton>}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

function useDeliveries(webhook: Webhook, outcome: string, newest: string | undefined) {
  const filter = outcome === '' ? '' : `&outcome=${outcome}`;
  const path = `/webhooks/${webhook.id}/deliveries?limit=${PAGE}${filter}`;
  const load = () => callForTab<Delivery[]>('GET', path);
  const loaded = useLoaded<DeliveryList>(async () => firstPage(await load()), [path]);
  const shown = useRef(loaded.value);
  shown.current = loaded.value;
  const more = useAction(async () => {
    const list = loaded.value;
    if (list === undefined) return;
    const next = await callForTab<Delivery[]>('GET', `${path}&before=${list.deliveries.at(-1)?.id ?? ''}`);
    // Another filter or a reload may have replaced the list meanwhile.
    if (shown.current === list) loaded.replace(withNextPage(list, next));
  });
  useEffect(() => {
    if (newest === undefined) return;
    const abort = new AbortController();
    untilListed(load, newest, abort.signal).then(
      (found) => found && loaded.replace(withNewest(shown.current, found)),
      () => undefined, // the list stays, and can be loaded by its button
    );
    return () => abort.abort();
  }, [newest]);
  return { loaded, more };
}

function outcomeOptions() {
  return [
    { value: '', text: i18n._('All deliveries') },
    { value: 'posted', text: i18n._('Posted') },
    { value: 'nothing', text: i18n._('Nothing to show') },
    { value: 'refused', text: i18n._('Refused') },
    { value: 'duplicate', text: i18n._('Posted before') },
  ];
}
