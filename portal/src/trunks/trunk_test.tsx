// Trying a trunk out: asked beside whatever is in use, shown step by step with the SIP messages that went over the wire; and
// which way a call to a number would take.
import type { Trunk, TrunksTestParams, TrunksTestReply } from '@tandem/sdk'
import styles from '../carriers/carriers.module.css'
import { LinkTest } from '../carriers/link_test.tsx'
import { useApi } from '../session/api.ts'

type Step = TrunksTestReply['steps'][number]

const stepNames: Record<Step['step'], string> = {
  resolve: 'Name look-up',
  connect: 'Connection',
  tls: 'TLS',
  options: 'Sign of life',
  register: 'Registration',
  ari: 'ARI',
  events: 'Events',
}

const whatIsAsked: Record<Trunk['kind'], string> = {
  sip: 'Asks the carrier whether it is there (OPTIONS), and registers where the settings say so.',
  asterisk: 'Asks the Asterisk whether it knows the user and the endpoint, and whether it reports its calls.',
}

export type TrunkTestProps = {
  trunk: Trunk
  /** Settings that are tried in place of the stored ones. */
  settings?: TrunksTestParams['settings']
}
export function TrunkTest({ trunk: { trunkId, kind }, settings }: TrunkTestProps) {
  const api = useApi()
  const test = async (what: Pick<TrunksTestParams, 'to' | 'connect'>) => {
    const { routing, ...reply } = await api.trunks.test({
      trunkId,
      ...(settings === undefined ? {} : { settings }),
      ...what,
    })
    const ways = routing?.map(({ trunkId: id, weight, ...way }) => ({ id, rank: `weight ${weight}`, ...way })) ?? null
    return { ...reply, ways }
  }
  return (
    <LinkTest
      own={trunkId}
      hint={`${whatIsAsked[kind]} Nobody is called, and nothing is stored.`}
      isChanged={settings !== undefined}
      action="Test the trunk"
      run={() => test({})}
      stepNames={stepNames}
      said={step => <Messages step={step} />}
      way={{
        label: 'How would a call be routed to',
        placeholder: '+49 30 123456',
        findRoutes: to => test({ to, connect: false }),
        title: 'The way of that call',
        refused: 'No trunk takes it: such a call fails with',
        listLabel: 'Trunks in the order they are tried',
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
            {message.direction} <code>{message.text.split('\r\n', 1)[0]}</code>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{message.text.trimEnd()}</pre>
        </details>
      ))}
    </div>
  )
}
