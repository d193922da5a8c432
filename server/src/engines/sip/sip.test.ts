// The SIP engine against a carrier on this machine: the suite that every engine passes, and what only trunks have.
// test: waits

import { addTrunk, sipEnv, startCarrier } from '../../../test/engines/sip_carrier.ts'
import { voiceEngineSuite } from '../../../test/engines/suite.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { sipDriver } from './driver.ts'

const number = (last: string) => `+1555010${last}`

voiceEngineSuite('sip', {
  engine: trunkEngine([sipDriver]),
  mode: 'live',
  env: sipEnv,
  queues: [],
  secondMs: 1_000,
  numbers: {
    answers: number('0002'),
    busy: number('0003'),
    silent: number('0004'),
    declines: number('0005'),
    unallocated: number('0006'),
    stays: number('0007'),
  },
  async setUp(t) {
    const carrier = await startCarrier({
      async onCall({ call }, called) {
        const status = { [number('0003')]: 486, [number('0005')]: 603, [number('0006')]: 404 }[called]
        if (status !== undefined) return call.reject(status)
        call.ring()
        if (called === number('0004')) return
        await call.answer()
        if (called === number('0002')) setTimeout(() => call.end(), 3_000).unref()
      },
    })
    await addTrunk(t, carrier.port)
    return () => carrier.close()
  },
})
