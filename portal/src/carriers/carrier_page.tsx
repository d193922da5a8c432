// One carrier: how its links are now, what can be done with it, and a test.
import type { Carrier } from '@tandem/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { forgetMessagingLists } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { readRecord } from '../data/records.ts'
import { ResourceEvents } from '../data/resource_events.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock } from '../ui/code.tsx'
import { ButtonLink } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { CarrierFacts, LinksCard, RoutesCard, SettingsCard } from './carrier_facts.tsx'
import { CarrierTest } from './carrier_test.tsx'
import styles from './carriers.module.css'
import { LinkPage, useLinkEditing } from './link_page.tsx'
import { t } from './texts.ts'
import { refreshMs, useThroughput } from './throughput.ts'

const kind = 'carrier'

// Fetched when it is wanted: a list is looked at far more often than it is added to.
export const CarrierForm = lazyPart(() => import('./carrier_form.tsx').then(module => module.CarrierForm))

export function CarrierPage({ id }: { id: string }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const editing = useLinkEditing('carrier')
  const query = useQuery({
    queryKey: [mode, 'carrier', id],
    queryFn: ({ signal }) => readRecord('carrier', api, id, signal),
    refetchInterval: ({ state }) => (state.error === null && !editing.isEditing ? refreshMs : false),
  })
  const { data } = query
  const rates = useThroughput(useMemo(() => (data === undefined ? [] : [data]), [data]))
  return (
    <LinkPage
      kind={kind}
      title={t('carrier')}
      id={id}
      link={data}
      editing={editing}
      form={(carrier, on) => <CarrierForm carrier={carrier} {...on} />}
      actions={
        <ButtonLink to="/messages" search={{ carrier: id }}>
          {t('itsMessages')}
        </ButtonLink>
      }
      offText={carrier => [t('offText'), waitingText(carrier)].join(' ')}
      deleteText={carrier => [t('deleteText'), waitingText(carrier), t('deleteMore')].join(' ')}
      onText={name => t('on', { name })}
      turn={enabled => api.carriers.update({ carrierId: id, enabled })}
      remove={() => api.carriers.delete({ carrierId: id })}
      forget={() => forgetMessagingLists(cache, mode)}
    >
      <RecordStates kind={kind} id={id} query={query}>
        {carrier => (
          <div className={styles['form']}>
            <LinksCard carrier={carrier} />
            <div className={record['columns']}>
              <div className={styles['form']}>
                <RoutesCard carrier={carrier} />
                {editing.mayManage && <CarrierTest carrier={carrier} />}
              </div>
              <div className={styles['form']}>
                <CarrierFacts carrier={carrier} rate={rates.get(id)} />
                <ResourceEvents resourceId={id} noun={kind} />
              </div>
            </div>
            <SettingsCard of={carrier} />
            <CodeBlock code={JSON.stringify(carrier, null, 2)} language="json" label={t('asJson')} />
          </div>
        )}
      </RecordStates>
    </LinkPage>
  )
}

/** What becomes of messages that wait for the carrier. */
function waitingText({ waiting }: Carrier): string {
  return t('waitingText', { count: waiting.messages })
}
