// A short slice of `npm run crash -- --mail`: a worker dies with mails at each of its places, under load, and no mail is lost or sent twice; and
// two defects that the harness is given on purpose are caught.
// test: waits, programs
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { catchMailDefects } from './defects.ts'
import { type MailFault, runMailScenario } from './scenario.ts'

const root = join(import.meta.dirname, '../../../..')

const faults: readonly MailFault[] = [
  { kind: 'die_at', role: 'worker', point: 'mail.claimed', passes: 3 },
  { kind: 'die_at', role: 'worker', point: 'mail.sent', passes: 10 },
  { kind: 'cut_links' },
  { kind: 'die_at', role: 'worker', point: 'mail.known', passes: 3 },
  { kind: 'die_at', role: 'worker', point: 'mail.committed', passes: 3 },
]

test('a worker dies with mails in hand: none is lost, none is sent twice, and what is not known is unconfirmed', async t => {
  const log = (line: string) => t.diagnostic(line)
  const { violations, counts } = await runMailScenario({ tree: root, seed: 1, faults, inboundPerSecond: 2, log })
  assert.deepEqual(violations, [])
  assert.ok(counts['sent']! > 50, 'too little was sent for the run to mean anything')
  assert.ok(counts['unconfirmed']! > 0, 'no mail was in doubt')
})

test('the harness catches defects that it is given', async t => {
  const only = ['what a dead worker had in hand is sent again', 'a mail that is begun leaves the queue']
  assert.deepEqual(await catchMailDefects({ root, only, log: line => t.diagnostic(line) }), [])
})
