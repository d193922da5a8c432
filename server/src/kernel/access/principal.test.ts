// Guards: each node looks once a second for what was ended on another, and forgets then what it knew. So a revocation bites everywhere
// within two seconds; tests of the single ways to end something let the other node look (`poll`) and need no clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/harness.ts'
import { createAuthenticator } from './principal.ts'

test('what is ended elsewhere is known here until the next look, which comes after a second', async context => {
  const t = await startTestApp()
  const { db, tokens, keyring } = t.app.services
  const looks: Promise<unknown>[] = []
  const watched: typeof db = {
    ...db,
    control(name, text, values) {
      const look = db.control(name, text, values)
      looks.push(look)
      return look as never
    },
  }
  context.mock.timers.enable({ apis: ['setInterval'] })
  const node = createAuthenticator({ db: watched, tokens, keyring, clock: t.clock, onError: assert.ifError })
  context.after(async () => {
    await node.close()
    await t.close()
  })

  const made = await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body: { name: 'k', mode: 'live' } })
  const { keyId, secret } = made.json.data
  const known = async () => node.authenticate(secret, t.clock.now())
  assert.equal((await known()).keyId, keyId)
  await t.call('DELETE', `/v2/auth/api-keys/${keyId}`, { as: t.main.tokens.Admin })
  context.mock.timers.tick(999)
  assert.equal((await known()).keyId, keyId)
  assert.equal(looks.length, 0)
  context.mock.timers.tick(1)
  assert.equal(looks.length, 1)
  await looks[0]
  await assert.rejects(known(), { code: 'key_revoked' })
  context.mock.timers.tick(3_000)
  assert.equal(looks.length, 2, 'one look at a time')
})
