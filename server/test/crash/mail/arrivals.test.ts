// A short slice of `npm run crash -- --mail` for mails that come in: the worker dies with them before they are stored and before they are
// answered, and each is there once, with its bytes, its event and its place on the timeline; and what the oracle says where one is not.
// test: waits, programs
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { noDovecot } from '../../dovecot.ts'
import { faultsOfArrival, faultsOfArrived } from './arrivals_oracle.ts'
import { arrivalFaults, runMailScenario } from './scenario.ts'

const root = join(import.meta.dirname, '../../../..')

test('a worker dies with mails that come in: none that was acknowledged is lost, and none is there twice', async t => {
  const { violations, counts } = await runMailScenario({
    tree: root,
    seed: 5,
    faults: arrivalFaults.slice(0, 3),
    perSecond: 2,
    log: line => t.diagnostic(line),
  })
  assert.deepEqual(violations, [])
  assert.ok(counts['came by SMTP']! > 5, 'too little came for the run to mean anything')
  assert.ok(noDovecot !== false || counts['came by IMAP']! > 1, 'too little was read for the run to mean anything')
  assert.ok(counts['tries over SMTP']! > counts['answered with 250']!, 'nothing had to be sent again')
})

test('what is lost or doubled is a line', () => {
  const arrival = { word: 'a1', bySmtp: true, byImap: false, tries: 2, acknowledged: 1, refused: undefined }
  const row = {
    id: 'inm_1',
    door: 'smtp',
    subject: 'Crash run #a1',
    record_id: 'con_1',
    sha256: 'ab',
    version: 1,
    events: ['mail.received'],
  }
  const shown = { times: 1, sha256: 'ab' }
  assert.deepEqual([...faultsOfArrival(arrival, [row]), ...faultsOfArrived(row, 'con_1', shown)], [])
  assert.deepEqual(faultsOfArrival({ ...arrival, acknowledged: 0 }, []), [])
  assert.match(faultsOfArrival(arrival, []).join(), /a1 was acknowledged 1 times, and is lost$/)
  assert.match(faultsOfArrival({ ...arrival, acknowledged: 0, byImap: true }, []).join(), /the mailbox, and is lost$/)
  assert.match(faultsOfArrival(arrival, [row, row]).join(), /a1 is there 2 times/)
  assert.match(faultsOfArrived({ ...row, events: [] }, 'con_1', shown).join(), /its events are none/)
  assert.match(faultsOfArrived(row, 'con_1', { ...shown, times: 2 }).join(), /is there 2 times on the timeline/)
  assert.match(faultsOfArrived(row, 'con_1', { ...shown, sha256: undefined }).join(), /cannot be read, and is lost$/)
})
