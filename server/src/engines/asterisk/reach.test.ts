// An Asterisk elsewhere, while calls are taken on this machine alone, is no trunk that calls go by: it is down, and says what to set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AsteriskSettings } from '../../modules/voice/trunks/index.ts'
import { openLink } from './link.ts'
import { whySilent } from './reach.ts'
import { testAsteriskTrunk } from './test_trunk.ts'

const elsewhere = 'http://192.88.98.1:8088'
const remedy = /another machine.*127\.0\.0\.1.*TANDEM_SIP_ADDRESS=0\.0\.0\.0/

test('only what is elsewhere is silent, and only while sound is taken at loopback', async () => {
  assert.match(String(await whySilent(elsewhere, '127.0.0.1')), remedy)
  assert.match(String(await whySilent('http://[2606:4700::1]:8088', '::1')), /TANDEM_SIP_ADDRESS/)
  assert.equal(await whySilent(elsewhere, '0.0.0.0'), null)
  for (const url of [
    'http://127.0.0.1:8088',
    'http://127.0.0.9',
    'http://localhost:8088',
    'https://[::1]',
    'http://no.invalid',
  ])
    assert.equal(await whySilent(url, '127.0.0.1'), null, url)
})

test('the trunk is down with what to set, without a connection, and so says its test', async context => {
  const nobody = () => assert.fail('the Asterisk was asked')
  const { promise, resolve } = Promise.withResolvers<[string, string | null]>()
  const link = openLink({
    ari: { request: nobody, events: nobody },
    application: 'tandem-1',
    settings: { application: 'tandem', pingSeconds: 30 },
    whySilent: () => whySilent(elsewhere, '127.0.0.1'),
    changed: (...change) => resolve(change),
    onChannel: nobody,
    onError: nobody,
  })
  context.after(() => link.close())
  const [state, error] = await promise
  assert.equal(state, 'down')
  assert.match(String(error), remedy)
  assert.equal(link.isUp, false)

  const settings = { url: elsewhere, username: 'tandem', password: 'secret', endpoint: 'PJSIP/{number}@far' }
  const outbound = { send: async () => ({ ok: true, status: 200, headers: {}, body: Buffer.from('{}') }) }
  const surroundings = { allow: [], sip: { address: '127.0.0.1' }, outbound }
  const steps = await testAsteriskTrunk(
    settings as unknown as AsteriskSettings,
    surroundings as unknown as Parameters<typeof testAsteriskTrunk>[1],
  )
  assert.deepEqual(
    steps.map(({ step, ok }) => [step, ok]),
    [['ari', false]],
  )
  assert.match(String(steps[0]?.message), remedy)
})
