// Asterisks as trunks, against a peer that speaks ARI as it is documented: the suite that every engine passes.
import { sipLine } from '../sip/line.ts'
import { voiceEngineSuite } from '../suite.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { startAriPeer } from './ari_peer.ts'
import { asteriskLine } from './line.ts'
import { addAsterisk, asteriskEnv, number, suiteNumbers } from './testing.ts'

const causes: Readonly<Record<string, number>> = { [number('0003')]: 17, [number('0005')]: 21, [number('0006')]: 1 }

voiceEngineSuite('trunks, by an Asterisk', {
  engine: trunkEngine([sipLine, asteriskLine]),
  mode: 'live',
  env: asteriskEnv,
  queues: [],
  secondMs: 1_000,
  numbers: suiteNumbers,
  async setUp(t) {
    const peer = await startAriPeer(far => {
      const cause = causes[far.number]
      if (cause !== undefined) return far.hangup(cause)
      far.ring()
      if (far.number === number('0004')) return
      far.answer()
      if (far.number === number('0002')) setTimeout(() => far.hangup(16), 3_000).unref()
    })
    await addAsterisk(t, peer.port)
    return () => peer.close()
  },
})
