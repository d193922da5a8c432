// Mutated SDP through all that is done with it: it is read, answered, written and read again. Pure, so that a million takes seconds.
import { isFault, parseSdp } from '@tandem/sip'
import { createAnswer } from '../../../packages/sip/src/offer_answer.ts'
import { formatSdp } from '../../../packages/sip/src/sdp.ts'
import { inviteWithSdp, secureOffer } from '../../../packages/sip/test/samples.ts'
import { torture } from '../../../packages/sip/test/torture.ts'
import { mutate } from './mutate.ts'
import type { FuzzKind, FuzzOutcome } from './runner.ts'

const offers = [inviteWithSdp, secureOffer, ...torture.map(({ text }) => text)]
  .map(text => text.slice(text.indexOf('\r\n\r\n') + 4))
  .filter(text => text.startsWith('v=0'))
  .map(text => Buffer.from(text))

const local = {
  sessionId: '1',
  address: { family: 'IP4', address: '192.0.2.1' },
  port: 4000,
  srtp: 'allowed',
  cryptos: [{ suite: 'AES_CM_128_HMAC_SHA1_80', key: Buffer.alloc(30, 7) }],
} as const

export const sdpFuzz: FuzzKind = {
  name: 'sdp',
  description: 'mutated SDP, read, answered, written and read again',
  batch: 10_000,
  async open() {
    return {
      send(random): FuzzOutcome {
        const sdp = parseSdp(mutate(random, random.pick(offers) as Buffer))
        if (isFault(sdp)) return 'refused'
        const answer = createAnswer(sdp, local)
        const again = parseSdp(Buffer.from(formatSdp(sdp)))
        if (isFault(again)) throw new Error('what was read cannot be read again once it is written')
        return isFault(answer) ? 'refused' : 'answered'
      },
      check: async () => 0,
      async close() {},
    }
  },
}
