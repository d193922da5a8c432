// Guards: an Asterisk that registers here as a phone does: it is called and calls, with sound both ways, and its registration ends with it.
// Without one it is skipped, loudly.
// test: waits, programs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { findAsterisk, howToGetOne } from '../../../test/engines/real_asterisk.ts'
import { startAsteriskPhone } from '../../../test/engines/sip_asterisk.ts'
import { addAccount, listening, openTestPhone, startPhoneServer } from '../../../test/engines/sip_phones.ts'
import { hears, toneSource } from '../../../test/engines/tones.ts'
import { eventually } from '../../../test/eventually.ts'
import { callIn } from '../../../test/voice/calls.ts'

const found = findAsterisk(process.env['TANDEM_TEST_ASTERISK'])
const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

test('an Asterisk registers as a phone, is called and calls', {
  skip: found === undefined ? howToGetOne : false,
}, async context => {
  if (found === undefined) return
  const port = await freePort()
  const t = await startPhoneServer(port)
  context.after(() => t.close())
  const as = t.main.testKey
  const [account, pbx] = [await addAccount(t, as, { username: 'desk' }), await addAccount(t, as, { username: 'pbx' })]
  const desk = await openTestPhone(port, account, { onCall: ({ call }) => void call.answer() })
  context.after(() => desk.close())
  await listening(desk)
  const asterisk = await startAsteriskPhone(found, port, pbx)
  context.after(() => asterisk.close())
  const registrations = async (): Promise<{ userAgent: string }[]> => {
    const { json } = await t.call('GET', `/v2/voice/sip-credentials/${pbx.credentialId}`, { as })
    return json.data.registrations
  }
  await eventually('the registration', async () => (await registrations()).length === 1)
  assert.match((await registrations())[0]?.userAgent ?? '', /^Asterisk/)

  /** The tone of the desk comes back from the Asterisk. */
  async function talk(count: number, tone: number): Promise<void> {
    const side = await eventually('the call', async () => desk.calls[count]?.rtp !== undefined && desk.calls[count])
    side.rtp?.setSource(toneSource(tone))
    await eventually('its own tone', async () => side.rtp !== undefined && hears(side.rtp, tone))
    side.call.end()
    await eventually('its end there', async () =>
      /\n0 active channels/.test(await asterisk.command('core show channels')),
    )
  }
  const dial = { verb: 'dial', targets: [{ type: 'sip', uri: pbx.address }] }
  const made = await t.call('POST', '/v2/voice/calls', {
    as,
    body: { from: '+15550100001', to: account.address, instructions: [dial] },
  })
  assert.equal(made.status, 200, made.text)
  await talk(0, 700)
  assert.equal((await callIn(t, made.json.data.callId, over, as, 20_000)).state, 'completed')

  await asterisk.command('channel originate PJSIP/desk@tandem extension echo@calling')
  await talk(1, 1_100)
  const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound&limit=1', { as })
  const call = await callIn(t, json.data[0].callId, over, as, 20_000)
  assert.deepEqual([call.state, call.hangupBy], ['completed', 'system'])

  await asterisk.command('pjsip send unregister tandem')
  await eventually('its leave', async () => (await registrations()).length === 0)
})
