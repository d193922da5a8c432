// Trying a trunk out: asked beside whatever is in use, shown step by step with the SIP messages that went over the wire; and
// which way a call to a number would take.
import type { Trunk, TrunksTestParams, TrunksTestReply } from '@tandem/sdk'
import styles from '../carriers/carriers.module.css'
import { LinkTest } from '../carriers/link_test.tsx'
import { t as tCarriers } from '../carriers/texts.ts'
import type { SayFault } from '../forms/faults.ts'
import { useApi } from '../session/api.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

type Step = TrunksTestReply['steps'][number]

const stepNames = byLanguage(
  (): Record<Step['step'], string> => ({
    resolve: tCarriers('step.resolve'),
    connect: tCarriers('step.connect'),
    tls: 'TLS',
    options: tCarriers('step.alive'),
    register: t('step.register'),
    ari: 'ARI',
    events: t('step.events'),
  }),
)

export type TrunkTestProps = {
  trunk: Trunk
  /** Settings that are tried in place of the stored ones. */
  settings?: TrunksTestParams['settings']
  /** The sentence of a fault of these, with its field's name. */
  faultText?: SayFault
}
export function TrunkTest({ trunk: { trunkId, kind }, settings, faultText }: TrunkTestProps) {
  const api = useApi()
  const test = async (what: Pick<TrunksTestParams, 'to' | 'connect'>) => {
    const { routing, ...reply } = await api.trunks.test({
      trunkId,
      ...(settings === undefined ? {} : { settings }),
      ...what,
    })
    const ways =
      routing?.map(({ trunkId: id, weight, ...way }) => ({
        id,
        rank: t('rankWeight', { weight: weight ?? 0 }),
        ...way,
      })) ?? null
    return { ...reply, ways }
  }
  return (
    <LinkTest
      own={trunkId}
      hint={t(`test.${kind}`)}
      isChanged={settings !== undefined}
      faultText={faultText}
      action={t('testAction')}
      run={() => test({})}
      stepNames={stepNames()}
      said={step => <Messages step={step} />}
      way={{
        label: t('way.label'),
        placeholder: '+49 30 123456',
        findRoutes: to => test({ to, connect: false }),
        title: t('way.title'),
        refused: error => t.rich('way.refused', { error }),
        listLabel: t('way.list'),
        page: '/trunks/$id',
      }}
    />
  )
}

function Messages({ step: { messages } }: { step: Step }) {
  if (messages.length === 0) return null
  return (
    <div className={styles['sip']}>
      {messages.map((message, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record of what was
        <details key={place}>
          <summary>
            {tCarriers.of('direction', message.direction) ?? message.direction}{' '}
            <code>{message.text.split('\r\n', 1)[0]}</code>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{message.text.trimEnd()}</pre>
        </details>
      ))}
    </div>
  )
}
