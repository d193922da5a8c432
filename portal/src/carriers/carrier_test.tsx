// Trying a carrier out: one more link, opened and closed again, shown step by step with what went over the wire; which
// way a message to a number would take.
import type { Carrier, CarriersTestParams, CarriersTestReply } from '@tandem/sdk'
import type { SayFault } from '../forms/faults.ts'
import { useApi } from '../session/api.ts'
import { byLanguage } from '../words/words.ts'
import styles from './carriers.module.css'
import { LinkTest } from './link_test.tsx'
import { t } from './texts.ts'

type Step = CarriersTestReply['steps'][number]

const stepNames = byLanguage(
  (): Record<Step['step'], string> => ({
    resolve: t('step.resolve'),
    connect: t('step.connect'),
    tls: 'TLS',
    bind: 'Bind',
    enquire_link: t('step.alive'),
    unbind: 'Unbind',
  }),
)

export type CarrierTestProps = {
  carrier: Carrier
  /** Settings that are tried in place of the stored ones. */
  settings?: CarriersTestParams['settings']
  /** The sentence of a fault of these, with its field's name. */
  faultText?: SayFault
}
export function CarrierTest({ carrier: { carrierId }, settings, faultText }: CarrierTestProps) {
  const api = useApi()
  const test = async (what: Pick<CarriersTestParams, 'to' | 'bind'>) => {
    const { routing, ...reply } = await api.carriers.test({
      carrierId,
      ...(settings === undefined ? {} : { settings }),
      ...what,
    })
    const ways =
      routing?.map(({ carrierId: id, cost, ...way }) => ({ id, rank: t('rankCost', { cost: cost ?? '–' }), ...way })) ??
      null
    return { ...reply, ways }
  }
  return (
    <LinkTest
      own={carrierId}
      hint={t('testHint')}
      isChanged={settings !== undefined}
      faultText={faultText}
      action={t('testBind')}
      run={() => test({})}
      stepNames={stepNames()}
      said={step => <Pdus step={step} />}
      way={{
        label: t('way.label'),
        placeholder: '+49 151 23456789',
        findRoutes: to => test({ to, bind: false }),
        title: t('way.title'),
        refused: error => t.rich('way.refused', { error }),
        listLabel: t('way.list'),
        page: '/carriers/$id',
      }}
    />
  )
}

function Pdus({ step: { pdus } }: { step: Step }) {
  if (pdus.length === 0) return null
  return (
    <dl className={styles['pdus']}>
      {pdus.map((pdu, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record of what was
        <div key={place}>
          <dt data-direction={pdu.direction}>{t.of('direction', pdu.direction) ?? pdu.direction}</dt>
          <dd>
            <code>{pdu.text}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
