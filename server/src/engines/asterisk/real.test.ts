// The suite that every engine passes, by a real Asterisk with a SIP carrier behind it. Without one it is skipped, loudly.
// test: waits, programs
import { test } from 'node:test'
import { addAsterisk, asteriskEnv, number, refusals, suiteNumbers } from '../../../test/engines/asterisk_trunks.ts'
import { findAsterisk, howToGetOne, startAsterisk } from '../../../test/engines/real_asterisk.ts'
import { startCarrier } from '../../../test/engines/sip_carrier.ts'
import { voiceEngineSuite } from '../../../test/engines/suite.ts'
import { sipDriver } from '../sip/driver.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { asteriskDriver } from './driver.ts'

const found = findAsterisk(process.env['TANDEM_TEST_ASTERISK'])

if (found === undefined) test('a real Asterisk', { skip: howToGetOne }, () => {})
else
  voiceEngineSuite('trunks, by a real Asterisk', {
    engine: trunkEngine([sipDriver, asteriskDriver]),
    mode: 'live',
    env: asteriskEnv,
    queues: [],
    secondMs: 1_000,
    numbers: suiteNumbers,
    async setUp(t) {
      const carrier = await startCarrier({
        async onCall({ call }, called) {
          const status = refusals[called]
          if (status !== undefined) return call.reject(status)
          call.ring()
          if (called === number('0004')) return
          await call.answer()
          if (called === number('0002')) setTimeout(() => call.end(), 3_000).unref()
        },
      })
      const asterisk = await startAsterisk(found, carrier.port)
      await addAsterisk(t, asterisk.httpPort)
      return async () => {
        await asterisk.close()
        await carrier.close()
      }
    },
  })
