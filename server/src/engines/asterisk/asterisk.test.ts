// Asterisks as trunks, against a peer that speaks ARI as it is documented: the suite that every engine passes.
// test: waits

import { startAriPeer } from '../../../test/engines/ari_peer.ts'
import { addAsterisk, asteriskEnv, number, suiteNumbers } from '../../../test/engines/asterisk_trunks.ts'
import { voiceEngineSuite } from '../../../test/engines/suite.ts'
import { sipDriver } from '../sip/driver.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { asteriskDriver } from './driver.ts'

const causes: Readonly<Record<string, number>> = { [number('0003')]: 17, [number('0005')]: 21, [number('0006')]: 1 }

voiceEngineSuite('trunks, by an Asterisk', {
  engine: trunkEngine([sipDriver, asteriskDriver]),
  mode: 'live',
  env: asteriskEnv,
  queues: [],
  secondMs: 1_000,
  numbers: suiteNumbers,
  async setUp(t) {
    const peer = await startAriPeer(remote => {
      const cause = causes[remote.number]
      if (cause !== undefined) return remote.hangup(cause)
      remote.ring()
      if (remote.number === number('0004')) return
      remote.answer()
      if (remote.number === number('0002')) setTimeout(() => remote.hangup(16), 3_000).unref()
    })
    await addAsterisk(t, peer.port)
    return () => peer.close()
  },
})
