// A session whose peer holds the call, by saying so or by naming no address: nothing is sent, but what is live goes on behind it,
// since others may hear it, record it, or wait for its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RtpPacket } from '../src/rtp/packet.ts'
import { readRtp } from '../src/rtp/packet.ts'
import { createRtpSession } from '../src/rtp/session.ts'
import type { RtpAgreement } from '../src/rtp/session_api.ts'

const basic: RtpAgreement = { remote: { address: '192.0.2.1', port: 4000 }, law: 'PCMU', eventType: null }
const holds: Record<string, Partial<RtpAgreement>> = {
  'a=sendonly or a=inactive': { isSending: false },
  'c=0.0.0.0': { remote: null },
}

for (const [name, hold] of Object.entries(holds)) {
  test(`${name}: the source is asked meanwhile, and is sent from there on afterwards`, () => {
    const sent: RtpPacket[] = []
    const session = createRtpSession({
      agreement: basic,
      cname: 'test',
      send: (bytes, _to, from) => from === 'rtp' && sent.push(readRtp(bytes) as RtpPacket),
      nowMs: 0,
      wallMs: 0,
      random: () => 0.5,
    })
    let nowMs = 0
    const frames = (count: number) => {
      for (const endMs = nowMs + count * 20; nowMs < endMs; nowMs += 20) session.frame(nowMs, 0)
    }
    let reads = 0
    session.setSource(into => {
      into.fill(++reads)
      return true
    })
    frames(2)
    session.change({ ...basic, ...hold })
    frames(50)
    session.change(basic)
    frames(1)
    const received = sent.map(({ marker, payload }) => [marker, payload[0]])
    assert.deepEqual(received, [
      [true, 1],
      [false, 2],
      [true, 53],
    ])
  })
}
