// Guards: nobody calls past a trunk. Carriers know who pays by the address of the server, which all organizations on it share; so a
// SIP address that leads to where a trunk leads is not called, by whatever name and port. Elsewhere SIP addresses are called as ever.
// test: waits
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { addTrunk, type Carrier, startCarrier } from '../../../test/engines/sip_carrier.ts'
import {
  type Account,
  addAccount,
  listening,
  openTestPhone,
  startPhoneServer,
} from '../../../test/engines/sip_phones.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestApp } from '../../../test/harness.ts'
import { callIn, type SeenCall } from '../../../test/voice/calls.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const own = '+15550100077'
const abroad = '+4930111222'

describe('a carrier that knows the server by its address', () => {
  let t: TestApp
  let carrier: Carrier
  const phones: (Carrier & { account: Account })[] = []
  const payer = () => t.main.liveKey
  const thief = () => t.other.liveKey
  before(async () => {
    const port = await freePort()
    t = await startPhoneServer(port, { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' })
    for (const as of [payer(), thief()]) {
      const account = await addAccount(t, as, { username: 'hall' })
      const phone = await openTestPhone(port, account, { onCall: ({ call }) => void call.answer() })
      phones.push({ ...phone, account })
      await listening(phone)
    }
    carrier = await startCarrier({
      async onCall({ call }) {
        await call.answer()
        call.end()
      },
    })
    // Calls come from elsewhere than they go to, as with most carriers.
    const sourceAddresses = ['127.0.0.3', '127.0.5.0/24']
    const trunkId = await addTrunk(t, carrier.port, { settings: { sourceAddresses } })
    // Wide ranges shut nobody out: 127.0.0.2 is anybody's.
    const wide = { host: 'no-such-host.invalid', sourceAddresses: ['127.0.0.0/8'] }
    const wideId = await addTrunk(t, 9, { settings: wide })
    // Without a trunk an organization calls nowhere.
    const otherId = await addTrunk(t, 9, { settings: { host: '127.0.0.9' }, as: t.other.tokens.Admin })
    await eventually('the trunks', async () => {
      const rows = await t.ownerSql('select 1 from trunk_states where trunk_id = any($1)', [[trunkId, wideId, otherId]])
      return rows.length === 3
    })
  })
  after(async () => {
    await t.close()
    for (const one of [...phones, carrier]) await one.close()
  })

  /** What became of a target that a call to the organization's phone dials. */
  async function dials(as: string, target: object): Promise<SeenCall> {
    const phone = phones[as === payer() ? 0 : 1]
    const { json, text, status } = await t.call('POST', '/v2/voice/calls', {
      as,
      body: {
        from: own,
        to: phone?.account.address,
        instructions: [{ verb: 'dial', targets: [target], timeoutSeconds: 5 }],
      },
    })
    assert.equal(status, 200, text)
    await callIn(t, json.data.callId, over, as, 20_000)
    const children = await t.call('GET', `/v2/voice/calls?parentCallId=${json.data.callId}`, { as })
    const [child] = children.json.data
    assert.ok(child, children.text)
    return callIn(t, child.callId, over, as, 20_000)
  }
  const dialsAddress = (as: string, uri: string) => dials(as, { type: 'sip', uri })

  test('is not called at that address by others, by whatever name, port and user', async () => {
    const port = carrier.port
    for (const uri of [
      `sip:${abroad}@127.0.0.1:${port}`,
      `sip:${abroad}@localhost:${port}`,
      `sip:${abroad}@elsewhere.example:${port};maddr=127.0.0.1`,
      `sip:${abroad}@127.0.0.1:${port};transport=tcp`,
      `sip:anybody@127.0.0.1:${port}`,
      `sip:${abroad}@127.0.0.3:${port}`,
      `sip:${abroad}@127.0.5.9:${port}`,
    ]) {
      const { state, hangupCause, errorCode, sipCode, hangupBy } = await dialsAddress(thief(), uri)
      assert.deepEqual(
        { state, hangupCause, errorCode, sipCode, hangupBy },
        {
          state: 'failed',
          hangupCause: 'address_of_trunk',
          errorCode: 'address_of_trunk',
          sipCode: 403,
          hangupBy: 'system',
        },
        uri,
      )
    }
    assert.equal(carrier.calls.length, 0)
  })

  test('takes numbers of its own organization by the trunk only, and names at the address', async () => {
    const past = await dialsAddress(payer(), `sip:${abroad}@127.0.0.1:${carrier.port}`)
    assert.equal(past.errorCode, 'address_of_trunk')
    assert.equal(carrier.calls.length, 0)
    assert.equal((await dialsAddress(payer(), `sip:desk@127.0.0.1:${carrier.port}`)).state, 'completed')
    assert.equal((await dials(payer(), { type: 'number', number: abroad })).state, 'completed')
    assert.deepEqual(
      carrier.calls.map(({ number }) => number),
      ['desk', abroad],
    )
  })

  test('keeps nobody from calling elsewhere', async context => {
    const elsewhere = createSocket('udp4')
    context.after(() => elsewhere.close())
    elsewhere.bind(0, '127.0.0.2')
    await once(elsewhere, 'listening')
    const heard = once(elsewhere, 'message', { signal: AbortSignal.timeout(20_000) })
    const ended = dialsAddress(thief(), `sip:${abroad}@127.0.0.2:${elsewhere.address().port}`)
    assert.match(String((await heard)[0]), /^INVITE sip:\+4930111222@127\.0\.0\.2/)
    assert.notEqual((await ended).errorCode, 'address_of_trunk')
  })
})
