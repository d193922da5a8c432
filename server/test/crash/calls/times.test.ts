// The oracle of times: an end that nobody could hear is none of the server's faults; one that it ignored is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallRow } from './call_row.ts'
import { type RemoteCall, readSippLog } from './sipp.ts'
import { faultsOfTimes, type Troubles } from './times.ts'
import { hastyPatience } from './world.ts'

const startMs = Date.UTC(2026, 10, 22)
const row = {
  state: 'completed',
  cause: 'normal',
  createdMs: startMs,
  dialedMs: null,
  answeredMs: startMs,
  endedMs: startMs + 60_000,
} as unknown as CallRow
const call = {
  isInbound: true,
  answeredMs: startMs,
  acknowledgedMs: startMs,
  bye: { ms: startMs + 100, isOurs: false, isStray: false },
  byes: 1,
  byeAnsweredMs: undefined,
} as unknown as RemoteCall
const calm: Troubles = {
  patience: hastyPatience,
  deaths: [],
  database: [],
  cuts: [],
  weathers: [],
  reporting: [],
  asking: [],
  seeing: [],
  counting: [],
}
const weathers = [{ fromMs: startMs - 500, toMs: startMs + 1_000 }]

test('a BYE that was sent once and got lost is not held against the server', () => {
  assert.deepEqual(faultsOfTimes(row, [call], 60, { ...calm, weathers }), [])
})

test('nor is one that names no dialog, which sipp writes when a 100 that was late makes it give up', () => {
  const bye = { ...call.bye!, isStray: true }
  assert.deepEqual(faultsOfTimes(row, [{ ...call, bye, byeAnsweredMs: startMs + 101 }], 60, calm), [])
})

test('such a BYE is seen in the log of sipp', () => {
  const message = (at: string, direction: string, first: string, to: string, cseq: string) => `
----------------------------------------------- 2026-11-22 ${at}
UDP message ${direction} [0] bytes:

${first}
From: <sip:+49171005@127.0.0.1:1>;tag=1x5
To: <sip:+4930555002@127.0.0.1>${to}
Call-ID: 5-1@127.0.0.1
CSeq: ${cseq}
Content-Length: 0

`
  const uri = 'sip:+4930555002@127.0.0.1 SIP/2.0'
  const begin =
    message('10:00:00.000000', 'sent', `INVITE ${uri}`, '', '1 INVITE') +
    message('10:00:00.100000', 'received', 'SIP/2.0 200 OK', ';tag=us', '1 INVITE') +
    message('10:00:00.101000', 'sent', `ACK ${uri}`, ';tag=us', '1 ACK')
  for (const [to, isStray] of [
    ['', true],
    [';tag=us', false],
  ] as const) {
    const [seen] = readSippLog(begin + message('10:00:00.110000', 'sent', `BYE ${uri}`, to, '2 BYE'), 'caller', true)
    assert.deepEqual([seen?.bye?.isStray, seen?.bye?.isOurs], [isStray, false])
  }
})

test('a BYE that was repeated, answered, or sent while nothing was lost, is', () => {
  for (const [seen, troubles] of [
    [
      { ...call, byes: 4 },
      { ...calm, weathers },
    ],
    [
      { ...call, byeAnsweredMs: startMs + 120 },
      { ...calm, weathers },
    ],
    [call, calm],
  ] as const) {
    assert.match(faultsOfTimes(row, [seen], 60, troubles).join(), /the end is 59\d{3} ms behind that of the/)
  }
})
