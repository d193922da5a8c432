// One number in full, as the inspector shows it.
import { type OwnNumber, useCarriers, useServices } from '../data/messaging_lists.ts'
import { Card, DescriptionList, IdLink, Moment } from '../ui/index.ts'
import { countryText } from './look_up.tsx'
import { ownershipText } from './number_verify.tsx'
import { VoiceSummary } from './number_voice_summary.tsx'
import { t } from './texts.ts'

export function capabilitiesText({ sms, voice }: OwnNumber): string {
  if (sms) return t(voice ? 'does.both' : 'does.texts')
  return t(voice ? 'does.calls' : 'does.nothing')
}

function OnlyCarrier({ id, name = id }: { id: string; name?: string | undefined }) {
  return t.rich('onlyCarrier', { carrier: () => <IdLink id={id}>{name}</IdLink> })
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
          { term: t('number'), detail: <strong>{number.number}</strong> },
          { term: t('kind'), detail: t(`kind.${number.kind}`) },
          ...(number.country === null ? [] : [{ term: t('country'), detail: countryText(number.country) }]),
          ...(ownershipText(number) === undefined ? [] : [{ term: t('ownership'), detail: ownershipText(number) }]),
          { term: t('does'), detail: capabilitiesText(number) },
          ...(number.voice ? [{ term: t('callsToIt'), detail: <VoiceSummary numberId={number.numberId} /> }] : []),
          {
            term: t('service'),
            detail:
              number.serviceId === null ? (
                t('none')
              ) : (
                <IdLink id={number.serviceId}>{service?.name ?? number.serviceId}</IdLink>
              ),
          },
          {
            term: t('carrier'),
            detail:
              number.carrierId === null ? t('byRoute') : <OnlyCarrier id={number.carrierId} name={carrier?.name} />,
          },
          {
            term: t('pace'),
            detail:
              number.segmentsPerSecond === null
                ? t('fullPace')
                : t('pacePerSecond', { count: number.segmentsPerSecond }),
          },
          { term: t('callback'), detail: number.callbackUrl ?? '–' },
          { term: t('createsLeads'), detail: t(number.createsLeads ? 'leadsOfTexts' : 'no') },
          { term: t('createdAt'), detail: <Moment iso={number.createdAt} /> },
          { term: t('updatedAt'), detail: <Moment iso={number.updatedAt} /> },
        ]}
      />
    </Card>
  )
}
