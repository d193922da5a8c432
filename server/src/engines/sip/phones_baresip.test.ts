// Guards: baresip, a softphone, set up with what the API says: two of them register, one calls the other by its name, and each hears
// the tone of the other one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort, without } from '../../../../packages/sip/test/agent_programs.ts'
import { shareOf } from '../../../../packages/sip/test/agent_sound.ts'
import { has, openPhone } from '../../../../packages/sip/test/baresip.ts'
import { addAccount, startPhoneServer, until } from './testing_phones.ts'

test('baresip registers, calls and is called, with sound both ways', { skip: without('baresip') }, async context => {
  const port = await freePort()
  const t = await startPhoneServer(port)
  context.after(() => t.close())
  const as = t.main.testKey
  const accounts = [
    await addAccount(t, as, { username: 'ada', displayName: 'Ada' }),
    await addAccount(t, as, { username: 'bob' }),
  ]
  const [ada, bob] = await Promise.all(
    accounts.map(({ user, password }, index) =>
      openPhone(context, {
        address: `sip:${user}@phones.test`,
        account: `;regint=60;auth_user=${user};auth_pass=${password};outbound="sip:127.0.0.1:${port}"`,
        toneHz: index === 0 ? 1_000 : 440,
      }),
    ),
  )
  assert.ok(ada && bob)
  await until('both registrations', async () => {
    const { json } = await t.call('GET', '/v2/voice/sip-credentials', { as })
    return json.data.every(({ registrations }: { registrations: unknown[] }) => registrations.length === 1)
  })
  ada.command('dial', 'sip:bob@phones.test')
  await until('the ringing', async () => has(bob, 'CALL_INCOMING'))
  bob.command('accept')
  await until('the answer', async () => has(ada, 'CALL_ESTABLISHED') && has(bob, 'CALL_ESTABLISHED'))
  const calls = await until('the conversation', async () => {
    const { json } = await t.call('GET', '/v2/voice/calls', { as })
    return json.data.every(({ bridgedTo }: { bridgedTo: unknown }) => bridgedTo !== null) && json.data
  })
  assert.equal(calls.length, 2)
  await until('two seconds of talk', async () => {
    const { json } = await t.call('GET', `/v2/voice/calls/${calls[0].callId}`, { as })
    return Date.now() - Date.parse(json.data.answeredAt) > 2_000
  })
  ada.command('hangup')
  await until('the end', async () => has(bob, 'CALL_CLOSED'))
  await until('the end of both', async () => {
    const { json } = await t.call('GET', '/v2/voice/calls', { as })
    return json.data.every(({ state }: { state: string }) => state === 'completed')
  })
  const [atAda, atBob] = [shareOf(440, ada.heard()), shareOf(1_000, bob.heard())]
  assert.ok(atAda > 0.5, `${atAda} of what Ada heard is the tone of Bob`)
  assert.ok(atBob > 0.5, `${atBob} of what Bob heard is the tone of Ada`)
})
