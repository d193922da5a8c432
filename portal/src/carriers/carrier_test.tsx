// Trying a carrier out: one more link, opened and closed again, shown step by step with what went over the wire; which
// way a message to a number would take.
import type { Carrier, CarriersTestParams, CarriersTestReply } from '@tandem/sdk'
import { useApi } from '../session/api.ts'
import styles from './carriers.module.css'
import { LinkTest } from './link_test.tsx'

type Step = CarriersTestReply['steps'][number]

const stepNames: Record<Step['step'], string> = {
  resolve: 'Name look-up',
  connect: 'Connection',
  tls: 'TLS',
  bind: 'Bind',
  enquire_link: 'Sign of life',
  unbind: 'Unbind',
}

export type CarrierTestProps = {
  carrier: Carrier
  /** Settings that are tried in place of the stored ones. */
  settings?: CarriersTestParams['settings']
}
export function CarrierTest({ carrier: { carrierId }, settings }: CarrierTestProps) {
  const api = useApi()
  const test = async (what: Pick<CarriersTestParams, 'to' | 'bind'>) => {
    const { routing, ...reply } = await api.carriers.test({
      carrierId,
      ...(settings === undefined ? {} : { settings }),
      ...what,
    })
    const ways = routing?.map(({ carrierId: id, cost, ...way }) => ({ id, rank: `cost ${cost}`, ...way })) ?? null
    return { ...reply, ways }
  }
  return (
    <LinkTest
      own={carrierId}
      hint="Opens one link beside those in use, sends enquire_link and unbinds. Nothing is sent to anybody, and nothing is stored."
      isChanged={settings !== undefined}
      action="Test bind"
      run={() => test({})}
      stepNames={stepNames}
      said={step => <Pdus step={step} />}
      way={{
        label: 'How would a message be routed to',
        placeholder: '+49 151 23456789',
        findRoutes: to => test({ to, bind: false }),
        title: 'The route of that message',
        refused: 'No carrier takes it: such a message is refused with',
        listLabel: 'Carriers in the order they are tried',
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
          <dt data-direction={pdu.direction}>{pdu.direction}</dt>
          <dd>
            <code>{pdu.text}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
