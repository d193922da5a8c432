// Guards: baresip, a softphone, set up with what the API says: two of them register, one calls the other by its name, and each hears
// the tone of the other one, over UDP and over TLS.
// test: waits, programs
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openFolder, without } from '../../../../packages/sip/test/agent_programs.ts'
import { shareOf } from '../../../../packages/sip/test/agent_sound.ts'
import { has, openPhone, type Phone } from '../../../../packages/sip/test/baresip.ts'
import { selfSigned } from '../../../../packages/sip/test/transport_support.ts'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { addAccount, startPhoneServer } from '../../../test/engines/sip_phones.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestApp } from '../../../test/harness.ts'

test('baresip registers, calls and is called, with sound both ways', { skip: without('baresip') }, async context => {
  const port = await freePort()
  const t = await startPhoneServer(port)
  context.after(() => t.close())
  await talk(context, t, { port, transport: '' })
})

const secureTools = { skip: without('baresip') || without('openssl') }
for (const [name, encryption] of [
  ['with sound that is encrypted or nothing', [';mediaenc=srtp-mand', ';mediaenc=srtp-mand']],
  ['where only one of them encrypts its sound', [';mediaenc=srtp-mand', '']],
] as const)
  test(`baresip does so over TLS, ${name}`, secureTools, async context => {
    const certificate = selfSigned(context, 'IP:127.0.0.1,DNS:phones.test')
    const folder = openFolder(context)
    const [cert, key] = ['cert', 'key'].map(part => join(folder, `${part}.pem`)) as [string, string]
    writeFileSync(cert, certificate.cert)
    writeFileSync(key, certificate.key)
    const port = await freePort()
    const t = await startPhoneServer(await freePort(), {
      TANDEM_SIP_TLS_PORT: String(port),
      TANDEM_SIP_TLS_CERT: cert,
      TANDEM_SIP_TLS_KEY: key,
    })
    context.after(() => t.close())
    const phones = await talk(context, t, { port, transport: ';transport=tls', encryption, certificate })
    for (const [index, { output }] of phones.entries())
      assert.equal(output.text.includes('SRTP is Enabled'), encryption[index] !== '', output.text)
  })

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

type Way = {
  port: number
  transport: string
  /** Parameters of the two accounts. */
  encryption?: readonly [string, string]
  certificate?: { key: string; cert: string }
}

/** One phone calls another by its name; each is to hear the tone of the other. */
async function talk(
  context: TestContext,
  t: TestApp,
  { port, transport, encryption, certificate }: Way,
): Promise<Phone[]> {
  const as = t.main.testKey
  const accounts = [
    await addAccount(t, as, { username: 'ada', displayName: 'Ada' }),
    await addAccount(t, as, { username: 'bob' }),
  ]
  // The first credential opens the ports; a phone that is refused tries again after a minute only.
  await eventually('the port', () => isOpen(port))
  const [ada, bob] = await Promise.all(
    accounts.map(({ user, password }, index) =>
      openPhone(context, {
        address: `sip:${user}@phones.test`,
        account: `;regint=60;auth_user=${user};auth_pass=${password};outbound="sip:127.0.0.1:${port}${transport}"${encryption?.[index] ?? ''}`,
        certificate,
        toneHz: index === 0 ? 1_000 : 440,
      }),
    ),
  )
  assert.ok(ada && bob)
  await eventually('both registrations', async () => {
    const { json } = await t.call('GET', '/v2/voice/sip-credentials', { as })
    return json.data.every(({ registrations }: { registrations: unknown[] }) => registrations.length === 1)
  })
  ada.command('dial', 'sip:bob@phones.test')
  await eventually('the ringing', async () => has(bob, 'CALL_INCOMING'))
  bob.command('accept')
  await eventually('the answer', async () => has(ada, 'CALL_ESTABLISHED') && has(bob, 'CALL_ESTABLISHED'))
  const calls = await eventually('the conversation', async () => {
    const { json } = await t.call('GET', '/v2/voice/calls', { as })
    return json.data.every(({ bridgedTo }: { bridgedTo: unknown }) => bridgedTo !== null) && json.data
  })
  assert.equal(calls.length, 2)
  await eventually('two seconds of talk', async () => {
    const { json } = await t.call('GET', `/v2/voice/calls/${calls[0].callId}`, { as })
    return Date.now() - Date.parse(json.data.answeredAt) > 2_000
  })
  ada.command('hangup')
  await eventually('the end', async () => has(bob, 'CALL_CLOSED'))
  await eventually('the end of both', async () => {
    const { json } = await t.call('GET', '/v2/voice/calls', { as })
    return json.data.every(({ state }: { state: string }) => state === 'completed')
  })
  const [atAda, atBob] = [shareOf(440, ada.heard()), shareOf(1_000, bob.heard())]
  assert.ok(atAda > 0.5, `${atAda} of what Ada heard is the tone of Bob`)
  assert.ok(atBob > 0.5, `${atBob} of what Bob heard is the tone of Ada`)
  return [ada, bob]
}
