// One number in full, as the inspector shows it.
import { type OwnNumber, useCarriers, useServices } from '../data/messaging_lists.ts'
import { kindNames } from '../messages/sender_field.tsx'
import { Card, DescriptionList, IdLink, Moment } from '../ui/index.ts'
import { countryText } from './look_up.tsx'
import { ownershipText } from './number_verify.tsx'
import { VoiceSummary } from './number_voice_summary.tsx'

export function capabilitiesText({ sms, voice }: OwnNumber): string {
  const able = [sms && 'texts', voice && 'calls'].filter(Boolean).join(', ')
  return able === '' ? 'nothing' : able
}

export function NumberFacts({ number }: { number: OwnNumber }) {
  const services = useServices(number.serviceId !== null)
  const carriers = useCarriers(number.carrierId !== null)
  const service = services.items.find(({ serviceId }) => serviceId === number.serviceId)
  const carrier = carriers.items.find(({ carrierId }) => carrierId === number.carrierId)
  return (
    <Card title={number.label ?? number.number}>
      <DescriptionList
        items={[
          { term: 'Number', detail: <strong>{number.number}</strong> },
          { term: 'Kind', detail: kindNames[number.kind] },
          ...(number.country === null ? [] : [{ term: 'Country', detail: countryText(number.country) }]),
          ...(ownershipText(number) === undefined ? [] : [{ term: 'Whose', detail: ownershipText(number) }]),
          { term: 'Does', detail: capabilitiesText(number) },
          ...(number.voice ? [{ term: 'Calls to it', detail: <VoiceSummary numberId={number.numberId} /> }] : []),
          {
            term: 'Service',
            detail:
              number.serviceId === null ? (
                'None'
              ) : (
                <IdLink id={number.serviceId}>{service?.name ?? number.serviceId}</IdLink>
              ),
          },
          {
            term: 'Carrier',
            detail:
              number.carrierId === null ? (
                'As the routes say'
              ) : (
                <>
                  Only <IdLink id={number.carrierId}>{carrier?.name ?? number.carrierId}</IdLink>
                </>
              ),
          },
          {
            term: 'Pace',
            detail:
              number.segmentsPerSecond === null
                ? 'As fast as the carrier takes'
                : `${number.segmentsPerSecond} segments/s`,
          },
          { term: 'Callback', detail: number.callbackUrl ?? '–' },
          { term: 'Makes leads', detail: number.createsLeads ? 'Of texts from unknown numbers' : 'No' },
          { term: 'Added', detail: <Moment iso={number.createdAt} /> },
          { term: 'Updated', detail: <Moment iso={number.updatedAt} /> },
        ]}
      />
    </Card>
  )
}
