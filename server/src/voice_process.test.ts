// What the process of calls is sent at its start: enough to carry calls, and no secret that it could do without.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialize } from 'node:v8'
import { eventually } from '../test/eventually.ts'
import { loadConfig } from './config/config.ts'
import { childEnvironment, startOrder, startVoiceProcess } from './voice_process.ts'

const secrets = {
  DATABASE_URL: 'postgres://owner:north-star@127.0.0.1:5432/tandem',
  TANDEM_ADMIN_PASSWORD: 'a password that is long',
  TANDEM_ROOT_KEY: Buffer.from('the root key has 32 bytes, these').toString('base64'),
}

test('neither the owner of the database nor the first password reaches the process of calls', () => {
  const config = loadConfig(secrets)
  const app = { host: '127.0.0.1', user: 'tandem_app' }
  const value = Buffer.alloc(32, 7)
  const only = [{ version: 1, value, state: 'active' as const }]
  const material = () => ({ pepper: only, sealing: only, lasting: value })
  const order = startOrder({ config, app, material })
  const reported = serialize({ order, environment: childEnvironment({ ...secrets, PATH: '/usr/bin' }) }).toString(
    'latin1',
  )
  for (const secret of ['north-star', secrets.TANDEM_ADMIN_PASSWORD, secrets.TANDEM_ROOT_KEY, 'privateKey', 'owner'])
    assert.ok(!reported.includes(secret), secret)
  assert.deepEqual([order.config.webrtcPorts, order.app], [config.webrtcPorts, app])
  assert.deepEqual(childEnvironment({ PATH: '/usr/bin', ...secrets }), { PATH: '/usr/bin' })
})

test('a process of calls that cannot be started is tried again, and holds up no stop', async t => {
  const program = process.execPath
  t.after(() => {
    process.execPath = program
  })
  process.execPath = '/nowhere/node'
  const said: string[] = []
  const voice = startVoiceProcess({
    config: loadConfig({}),
    environment: {},
    app: {},
    material: () => ({ pepper: [], sealing: [], lasting: Buffer.alloc(32) }),
    log: { info: () => {}, error: (_fields: object, words: string) => said.push(words) } as never,
    woken: () => {},
    isWanted: async () => true,
  })
  await eventually('a second attempt', () => said.length === 2)
  assert.match(said[1]!, /could not be started; it is tried again/)
  await voice.stop()
})
