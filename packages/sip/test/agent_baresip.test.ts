// baresip, a softphone, as the remote party: it calls and is called, with sound both ways that is identified by its spectrum, digits both
// ways, BYE from either side; over UDP, and over TLS with SRTP.
// test: waits, programs
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { without } from './agent_programs.ts'
import type { Sound } from './agent_sound.ts'
import { openSound, shareOf } from './agent_sound.ts'
import { type Agent, accept, answered, dial, ended, note, openAgent, type Reported } from './agent_support.ts'
import { has, openPhone, type Phone } from './baresip.ts'
import { selfSigned, until } from './transport_support.ts'

const skip = without('baresip')
const toneHz = 440
const theirHz = 1_000

/** Both sides hear the tone of the other one, and the digits it presses. */
async function talk(phone: Phone, sound: Sound): Promise<void> {
  await until(() => sound.heard.length > 60, 'sound')
  const share = shareOf(theirHz, sound.heard.slice(20))
  assert.ok(share > 0.8, `${share} of what we heard is its tone`)
  sound.session!.sendDigits('7')
  await until(() => has(phone, 'CALL_DTMF_START', '7'), 'our digit')
  phone.command('sndcode', '3')
  await until(() => sound.digits.length > 0, 'its digit')
  assert.equal(sound.digits[0], '3')
}

function heardTone(phone: Phone): void {
  const share = shareOf(toneHz, phone.heard())
  assert.ok(share > 0.5, `${share} of what it heard is our tone`)
}

async function openCalled(context: TestContext, options: Parameters<typeof openAgent>[2], srtp?: 'required') {
  const bobs: Reported[] = []
  const sounds: Sound[] = []
  const bob: Agent = await openAgent(
    context,
    async call => {
      const sound = await openSound(context, { toneHz, ...(srtp && { srtp }) })
      sounds.push(sound)
      bobs.push(accept(call, note({ onMedia: sound.onMedia }), { local: sound.local }))
      call.ring()
      await call.answer()
    },
    { timers: {}, ...options },
  )
  return { bob, bobs, sounds }
}

for (const security of ['plain', 'secure'] as const) {
  test(`baresip calls and is called, ${security === 'plain' ? 'over UDP' : 'over TLS with SRTP'}`, {
    skip,
  }, async context => {
    const certificate = security === 'secure' ? selfSigned(context, 'IP:127.0.0.1,DNS:localhost') : undefined
    const tls = certificate && {
      tls: [{ address: '127.0.0.1', port: 0, ...certificate }],
      tlsClient: { ca: certificate.cert },
    }
    const srtp = security === 'secure' ? ('required' as const) : undefined
    const phone = await openPhone(context, { account: security === 'secure' ? ';mediaenc=srtp-mand' : '', certificate })
    const { bob, bobs, sounds } = await openCalled(context, { ...tls }, srtp)
    const at = bob.bound.find(({ transport }) => transport === (security === 'secure' ? 'tls' : 'udp'))!.port
    // It puts its account's transport behind it.
    phone.command('dial', `sip:bob@127.0.0.1:${at}`)
    await until(() => bobs[0]?.log.includes('media sendrecv') === true && has(phone, 'CALL_ESTABLISHED'), 'its call')
    await talk(phone, sounds[0]!)
    phone.command('hangup')
    await ended(bobs[0]!)
    assert.equal(bobs[0]?.end.by, 'remote')
    assert.equal(sounds[0]!.streams[0]!.crypto !== undefined, security === 'secure')
    heardTone(phone)

    phone.events.length = 0
    const sound = await openSound(context, { toneHz, ...(srtp && { srtp }) })
    const target =
      security === 'secure' ? `sip:phone@127.0.0.1:${phone.port};transport=tls` : `sip:phone@127.0.0.1:${phone.port}`
    const { call, reported } = dial(bob, target, { local: sound.local }, note({ onMedia: sound.onMedia }))
    await until(() => has(phone, 'CALL_INCOMING'), 'our call')
    phone.command('accept')
    await answered(reported)
    await talk(phone, sound)
    assert.deepEqual([await call.hold(true), await call.hold(false)], [true, true])
    call.end()
    await until(() => has(phone, 'CALL_CLOSED'), 'its end')
    assert.equal(reported.ends.length, 1)
    assert.deepEqual(bob.errors, [])
  })
}
