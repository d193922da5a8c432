// What the inspector shows of carriers, trunks, numbers, messaging services and opt-outs.

import { CarrierFacts, RoutesCard } from '../carriers/carrier_facts.tsx'
import { readRecord } from '../data/records.ts'
import { NumberFacts } from '../numbers/number_facts.tsx'
import { ServiceFacts } from '../services/service_facts.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { TrunkFacts, TrunkRoutesCard } from '../trunks/trunk_facts.tsx'
import { Card, Chip, DescriptionList, IdLink, Moment } from '../ui/index.ts'
import { Hidden, Inspected, type InspectedProps } from './inspected_object.tsx'
import { t } from './texts.ts'

export function InspectedCarrier(props: InspectedProps) {
  const api = useApi()
  const { permissions } = useSession()
  if (!permissions.has('carriers:read')) return <Hidden permission="carriers:read" />
  return (
    <Inspected {...props} fetchIt={signal => readRecord('carrier', api, props.id, signal)}>
      {carrier => (
        <>
          <CarrierFacts carrier={carrier} />
          <RoutesCard carrier={carrier} />
        </>
      )}
    </Inspected>
  )
}

export function InspectedTrunk(props: InspectedProps) {
  const api = useApi()
  const { permissions } = useSession()
  if (!permissions.has('trunks:read')) return <Hidden permission="trunks:read" />
  return (
    <Inspected {...props} fetchIt={signal => readRecord('trunk', api, props.id, signal)}>
      {trunk => (
        <>
          <TrunkFacts trunk={trunk} />
          <TrunkRoutesCard trunk={trunk} />
        </>
      )}
    </Inspected>
  )
}

export function InspectedNumber(props: InspectedProps) {
  const api = useApi()
  const { permissions } = useSession()
  if (!permissions.has('numbers:read')) return <Hidden permission="numbers:read" />
  return (
    <Inspected {...props} fetchIt={signal => readRecord('number', api, props.id, signal)}>
      {number => <NumberFacts number={number} />}
    </Inspected>
  )
}

export function InspectedService(props: InspectedProps) {
  const api = useApi()
  const { permissions } = useSession()
  if (!permissions.has('messages:read')) return <Hidden permission="messages:read" />
  return (
    <Inspected {...props} fetchIt={signal => readRecord('service', api, props.id, signal)}>
      {service => <ServiceFacts service={service} />}
    </Inspected>
  )
}

/** Opt-outs have no address of their own in the API: the one is looked for in their list. */
export function InspectedOptOut(props: InspectedProps) {
  const api = useApi()
  const { permissions } = useSession()
  if (!permissions.has('messages:read')) return <Hidden permission="messages:read" />
  const find = async (signal: AbortSignal) => {
    for await (const optOut of api.optOuts.list.all({ limit: 200 }, { signal }))
      if (optOut.optOutId === props.id) return optOut
    return null
  }
  return (
    <Inspected {...props} fetchIt={find}>
      {optOut => (
        <Card title={t('optOutOf', { recipient: optOut.recipient })}>
          <DescriptionList
            items={[
              { term: t('recipient'), detail: optOut.recipient },
              {
                term: t('nothingFrom'),
                detail: optOut.scope.startsWith('msv_') ? <IdLink id={optOut.scope} /> : optOut.scope,
              },
              {
                term: t('becauseOf'),
                detail: optOut.source === 'keyword' ? <Chip>{optOut.keyword ?? t('stop')}</Chip> : t('byHand'),
              },
              { term: t('since'), detail: <Moment iso={optOut.createdAt} /> },
            ]}
          />
        </Card>
      )}
    </Inspected>
  )
}
