// Guards: Linphone, a softphone, set up with what the API says: it registers, calls and is called, over UDP and TCP, with the tone of each
// side heard by the other.
// test: waits, programs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { without } from '../../../../packages/sip/test/agent_programs.ts'
import { shareOf } from '../../../../packages/sip/test/agent_sound.ts'
import { openLinphone } from '../../../../packages/sip/test/linphone.ts'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { addAccount, listening, openTestPhone, startPhoneServer } from '../../../test/engines/sip_phones.ts'
import { hears, toneSource } from '../../../test/engines/tones.ts'
import { eventually } from '../../../test/eventually.ts'
import { callIn } from '../../../test/voice/calls.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

for (const transport of ['udp', 'tcp'] as const)
  test(`Linphone registers over ${transport}, calls and is called`, { skip: without('linphonec') }, async context => {
    const port = await freePort()
    const t = await startPhoneServer(port)
    context.after(() => t.close())
    const as = t.main.testKey
    const [account, own] = [await addAccount(t, as, { username: 'desk' }), await addAccount(t, as, { username: 'lin' })]
    const desk = await openTestPhone(port, account, { onCall: ({ call }) => void call.answer() })
    context.after(() => desk.close())
    await listening(desk)
    const linphone = await openLinphone(context, { ...own, domain: 'phones.test', port, transport })
    const lastCall = async (count: number) => {
      const { json } = await t.call('GET', '/v2/voice/calls', { as })
      return json.data.length >= count && json.data[0].callId
    }
    await eventually('the registration', async () => {
      const { json } = await t.call('GET', `/v2/voice/sip-credentials/${own.credentialId}`, { as })
      return json.data.registrations.length === 1
    }).catch(error => assert.fail(`${error}: ${linphone.output.text}`))

    async function talk(count: number): Promise<void> {
      const side = await eventually('the call', async () => desk.calls[count]?.rtp !== undefined && desk.calls[count])
      side.rtp?.setSource(toneSource(600))
      await eventually('the tone of Linphone', async () => side.rtp !== undefined && hears(side.rtp, 1_000))
    }
    linphone.type('call sip:desk@phones.test')
    await talk(0)
    linphone.type('terminate')
    const made = await callIn(t, await eventually('the record', () => lastCall(2)), over, as, 20_000)
    assert.equal(made.state, 'completed')

    const dial = { verb: 'dial', targets: [{ type: 'sip', uri: own.address }] }
    const { json } = await t.call('POST', '/v2/voice/calls', {
      as,
      body: { from: '+15550100001', to: account.address, instructions: [dial] },
    })
    await eventually('the ringing', async () => /incoming call from/i.test(linphone.output.text)).catch(error =>
      assert.fail(`${error}: ${linphone.output.text}`),
    )
    linphone.type('answer')
    await talk(1)
    desk.calls[1]?.call.end()
    assert.equal((await callIn(t, json.data.callId, over, as, 20_000)).state, 'completed')
    await eventually('the end', async () =>
      /Call \d+ with .* ended/.test(linphone.output.text.split(/incoming call from/i)[1] ?? ''),
    )
    linphone.type('quit')
    const share = await eventually('what it heard', async () => shareOf(600, [linphone.heard()]))
    assert.ok(share > 0.5, `${share} of what Linphone heard is the tone of the desk`)
  })
