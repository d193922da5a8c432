// A server whose operator lists the only hosts to go to: what organizations set up elsewhere is refused where it is entered or tried out.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from './harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_EGRESS_HOSTS: '*.listed.example' } })
})
after(() => t?.close())

const send = (path: string, body: object) => t.call('POST', path, { as: t.main.liveKey, body })

test('webhooks, trunks and carriers lead to hosts of the operator’s list alone, where there is one', async () => {
  const hook = (url: string) => send('/v2/webhooks', { url })
  assert.equal((await hook('https://hooks.listed.example/x')).status, 201)
  const refused = await hook('https://hooks.other.example/x')
  assert.deepEqual([refused.status, refused.json.error.code], [422, 'invalid_webhook_url'])
  const [fault] = refused.json.error.details
  assert.deepEqual([fault.field, fault.code], ['url', 'host_not_listed'])
  assert.match(fault.message, /TANDEM_EGRESS_HOSTS/)

  const sip = { kind: 'sip', name: 'Carrier', enabled: false, settings: { host: 'sbc.other.example' } }
  const asterisk = {
    url: 'https://pbx.other.example:8089',
    username: 'u',
    password: 'pa55word',
    endpoint: 'PJSIP/{number}@c',
  }
  for (const trunk of [sip, { ...sip, kind: 'asterisk', settings: asterisk }]) {
    const made = await send('/v2/voice/trunks', trunk)
    assert.equal(made.status, 201, made.text)
    const tried = await send(`/v2/voice/trunks/${made.json.data.trunkId}/test`, {})
    assert.equal(tried.status, 400, tried.text)
    assert.match(tried.json.error.details[0].message, /other\.example is not among the hosts/)
  }

  const settings = { host: 'smpp.other.example', port: 2775, systemId: 'tandem', password: 'secret' }
  const carrier = await send('/v2/carriers', { kind: 'smpp', name: 'Carrier', enabled: false, settings })
  assert.equal(carrier.status, 201, carrier.text)
  const bound = await send(`/v2/carriers/${carrier.json.data.carrierId}/test`, {})
  assert.deepEqual([bound.status, bound.json.error.details[0].field], [400, 'settings.host'], bound.text)
})
