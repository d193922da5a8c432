// Trunks over HTTP: what is kept secret stays so, what is wrong is named, and a test reports what happened.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Cidr } from '../../../kernel/outbound/egress.ts'
import { trunkEndpoints } from './endpoints.ts'
import type { TraceStep } from './kind.ts'
import type { TrunkSettings } from './settings.ts'

let t: TestApp
/** What the tester was last given, and what it answers. */
let asked: { settings: TrunkSettings; allow: readonly Cidr[] } | undefined
let steps: TraceStep[] = []

before(async () => {
  const endpoints = trunkEndpoints({
    async sip(settings, { allow }) {
      asked = { settings, allow }
      return steps
    },
  })
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' }, endpoints })
})
after(() => t?.close())
beforeEach(async () => {
  asked = undefined
  steps = []
  await t.ownerSql('delete from trunks')
})

const api = (
  method: string,
  path: string,
  body?: object,
  more: { as?: string; headers?: Record<string, string> } = {},
) => t.call(method, `/v2/voice/trunks${path}`, { as: t.main.liveKey, ...more, ...(body === undefined ? {} : { body }) })

const settings = { host: 'sip.example.com', username: 'tandem', password: 'pa55word' }

async function add(more: object = {}) {
  const { status, text, json } = await api('POST', '', { name: 'Remote', settings, enabled: false, ...more })
  assert.equal(status, 201, text)
  return json.data
}

async function faults(method: string, path: string, body: object): Promise<string[]> {
  const { status, json, text } = await api(method, path, body)
  assert.equal(status, 400, text)
  return json.error.details.map(({ field, message }: Record<string, string>) => `${field} ${message}`)
}

describe('a trunk', () => {
  test('is made with complete settings, and shows no secret', async () => {
    const made = await add()
    assert.deepEqual([made.settings.transport, made.settings.port, made.settings.callsPerSecond], ['udp', null, 5])
    assert.deepEqual([made.settings.concurrentCalls, made.settings.optionsSeconds], [50, 30])
    assert.deepEqual(made.settings.codecs, ['PCMU', 'PCMA'])
    assert.ok(!('password' in made.settings) && !('inboundPassword' in made.settings))
    assert.deepEqual(made.secretsSet, ['password'])
    assert.deepEqual(made.routes, [{ prefix: '', priority: 10, weight: 1, cost: '0' }])
    assert.equal(made.currency, 'USD')
    assert.deepEqual([made.state, made.since, made.error], ['disabled', null, null])
    assert.deepEqual(made.counters, { calls: 0, failed: 0, active: 0 })
    assert.deepEqual(made.warnings, [])
    for (const path of ['/v2/voice/trunks', `/v2/voice/trunks/${made.trunkId}`, '/v2/events', '/v2/requests'])
      assert.ok(!(await t.call('GET', path, { as: t.main.liveKey })).text.includes('pa55word'), path)
    const [row] = await t.ownerSql<{ text: string; secrets: string }>('select k::text as text, secrets from trunks k')
    assert.ok(row !== undefined && !row.text.includes('pa55word'))
    assert.match(row.secrets, /^sealed\.1\./)
    const open = await add({ settings: { host: '192.0.2.10' }, enabled: true })
    assert.deepEqual([open.secretsSet, open.state], [[], 'unknown'])
  })

  test('belongs to live mode and to its organization', async () => {
    const body = { name: 'Remote', settings }
    const { status, json } = await api('POST', '', body, { as: t.main.testKey })
    assert.deepEqual([status, json.error.code], [409, 'trunks_live_only'])
    const { trunkId } = await add()
    const foreign = { as: t.other.liveKey }
    assert.equal((await api('GET', `/${trunkId}`, undefined, foreign)).status, 404)
    assert.equal((await api('PATCH', `/${trunkId}`, { name: 'x' }, foreign)).status, 404)
    assert.equal((await api('DELETE', `/${trunkId}`, undefined, foreign)).status, 404)
    assert.equal((await api('POST', `/${trunkId}/test`, {}, foreign)).status, 404)
    assert.deepEqual((await api('GET', '', undefined, foreign)).json.data, [])
    const manager = { as: t.main.tokens['Sales Manager'] }
    assert.equal((await api('GET', `/${trunkId}`, undefined, manager)).status, 200)
    assert.equal((await api('PATCH', `/${trunkId}`, { name: 'x' }, manager)).status, 403)
    assert.equal((await api('GET', '', undefined, { as: t.main.tokens['Sales Executive'] })).status, 403)
  })

  test('is one of fifty at most', async () => {
    await t.ownerSql(
      `insert into trunks (tenant_id, id, name, settings, routes, enabled)
       select $1, 'trk_' || lpad(n::text, 26, '0'), 'one of many', '{"host":"a.example"}', '[]', false from generate_series(1, 50) as n`,
      [t.main.liveTenantId],
    )
    const { status, json } = await api('POST', '', { name: 'Remote', settings })
    assert.deepEqual([status, json.error.code], [409, 'too_many_trunks'])
    const first = await api('GET', '?limit=30')
    assert.equal(first.json.data.length, 30)
    const rest = await api('GET', `?limit=30&cursor=${first.json.meta.pagination.nextCursor}`)
    assert.equal(rest.json.data.length, 20)
    assert.equal((await api('GET', '?enabled=true')).json.data.length, 0)
  })

  test('changes field by field; a secret that is left out stays, one that is null goes', async () => {
    const { trunkId } = await add()
    const { json, headers } = await api('PATCH', `/${trunkId}`, { settings: { callsPerSecond: 20 } })
    assert.deepEqual([json.data.settings.callsPerSecond, json.data.settings.host], [20, 'sip.example.com'])
    assert.deepEqual([json.data.secretsSet, headers['etag']], [['password'], '"2"'])
    await api('PATCH', `/${trunkId}`, {
      name: ' Other ',
      routes: [{ prefix: '+' }, { prefix: '+49', weight: 3, cost: '0.0125' }],
      currency: 'EUR',
    })
    const [row] = await t.ownerSql<{ settings_version: number; version: number }>('select * from trunks')
    assert.deepEqual([row?.settings_version, row?.version], [2, 3])
    const read = (await api('GET', `/${trunkId}`)).json.data
    assert.equal(read.name, 'Other')
    assert.deepEqual(read.routes, [
      { prefix: '', priority: 10, weight: 1, cost: '0' },
      { prefix: '+49', priority: 10, weight: 3, cost: '0.0125' },
    ])
    const unknown = await api('PATCH', `/${trunkId}`, { currency: 'ZZZ' })
    assert.deepEqual([unknown.status, unknown.json.error.details[0].field], [400, 'currency'])
    assert.equal(read.currency, 'EUR')
    const without = await api('PATCH', `/${trunkId}`, { settings: { password: null } })
    assert.deepEqual(without.json.data.secretsSet, [])
    const old = { headers: { 'if-match': '"2"' } }
    assert.equal((await api('PATCH', `/${trunkId}`, { name: 'x' }, old)).status, 412)
    assert.equal((await api('DELETE', `/${trunkId}`, undefined, old)).status, 412)
    assert.equal((await api('DELETE', `/${trunkId}`, undefined, { headers: { 'if-match': '"4"' } })).status, 200)
    assert.equal((await api('GET', `/${trunkId}`)).status, 404)
    const events = await t.ownerSql<{ type: string; sequence: number }>(
      'select type, sequence from event_log where resource_id = $1 order by sequence',
      [trunkId],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['trunk.created', 'trunk.updated', 'trunk.updated', 'trunk.updated', 'trunk.deleted'],
    )
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      [1, 2, 3, 4, 5],
    )
  })

  test('does not lead the stored password to another host', async () => {
    const { trunkId } = await add({
      settings: { ...settings, inboundUsername: 'carrier', inboundPassword: 'their-password' },
    })
    const moved = { settings: { host: 'evil.example.com' } }
    const expected = ['settings.password must be entered again when host changes']
    assert.deepEqual(await faults('PATCH', `/${trunkId}`, moved), expected)
    assert.deepEqual(await faults('POST', `/${trunkId}/test`, moved), expected)
    assert.deepEqual(await faults('PATCH', `/${trunkId}`, { settings: { outboundProxy: 'evil.example.com:5060' } }), [
      'settings.password must be entered again when outboundProxy changes',
    ])
    assert.equal(asked, undefined)
    const again = { settings: { host: 'new.example.com', password: 'another1' } }
    assert.deepEqual((await api('PATCH', `/${trunkId}`, again)).json.data.secretsSet, ['password', 'inboundPassword'])
    // Sealed by another installation.
    await t.ownerSql("update trunks set secrets = 'sealed.1.AAAA'")
    assert.deepEqual(await faults('PATCH', `/${trunkId}`, { settings: { callsPerSecond: 1 } }), [
      'settings.password must be entered again because this server cannot read it',
      'settings.inboundPassword must be entered again because this server cannot read it',
    ])
    assert.equal((await api('PATCH', `/${trunkId}`, { name: 'A name needs no secret' })).status, 200)
  })
})

describe('settings', () => {
  test('that are wrong are named, each with its remedy', async () => {
    const wrong = {
      transport: 'sctp',
      host: 'sip:example.com',
      port: 0,
      outboundProxy: 'a b',
      username: 'a@b',
      password: 'line\nend',
      codecs: [],
      callsPerSecond: 0,
      sourceAddresses: ['example.com'],
      tlsCa: 'none',
      sessionExpiresSeconds: 30,
      what: 1,
    }
    const named = await faults('POST', '', { name: ' ', settings: wrong, routes: [{ prefix: '49', weight: 0 }] })
    for (const field of Object.keys(wrong))
      assert.ok(
        named.some(fault => fault.startsWith(`settings.${field}`)),
        `${field}: ${named}`,
      )
    for (const field of ['name', 'routes[0].prefix', 'routes[0].weight'])
      assert.ok(
        named.some(fault => fault.startsWith(`${field} `)),
        `${field}: ${named}`,
      )
  })

  const together = (more: object) => faults('POST', '', { name: 'Remote', settings: { host: 'a.example', ...more } })

  test('must fit together', async () => {
    assert.deepEqual(await together({ register: true }), [
      'settings.username is needed to register; enter it or set register to false',
    ])
    assert.deepEqual(await together({ password: 'pa55word' }), [
      'settings.password belongs to a user name; enter one or leave the password out',
    ])
    assert.deepEqual(await together({ authUsername: 'a', fromUser: 'b' }), [
      'settings.authUsername belongs to a password; enter one or leave it out',
      'settings.fromUser takes the place of the caller id; let callerIdIn name another header or leave it out',
    ])
    assert.deepEqual(await together({ numberFormat: 'national', outboundProxy: 'proxy.example:65536' }), [
      'settings.outboundProxy names a port above 65535',
      'settings.numberCountry is needed for national numbers, such as DE',
    ])
    assert.deepEqual(await together({ numberCountry: 'XX' }), ['settings.numberCountry XX is not a country'])
    assert.deepEqual(await together({ inboundUsername: 'carrier' }), [
      'settings.inboundPassword is needed with inboundUsername',
    ])
    assert.deepEqual(await together({ inboundPassword: 'x' }), [
      'settings.inboundUsername is needed with inboundPassword; enter it or take the password out',
    ])
    const body = {
      name: 'Remote',
      settings: { ...settings, host: 'a.example' },
      routes: [{ prefix: '' }, { prefix: '+' }],
    }
    assert.deepEqual(await faults('POST', '', body), ['routes[1].prefix lists every destination a second time'])
  })

  test('let nobody in who is not known', async () => {
    const anybody = (range: string, index = 0) =>
      `settings.sourceAddresses[${index}] ${range} lets anybody call; name the addresses of the carrier, or set inboundUsername`
    assert.deepEqual(await together({ sourceAddresses: ['0.0.0.0/0', '192.0.2.1', '0.0.0.0/1', '::/0'] }), [
      anybody('0.0.0.0/0'),
      anybody('0.0.0.0/1', 2),
      anybody('::/0', 3),
    ])
    assert.deepEqual(await together({ sourceAddresses: ['192.0.2.1/33', '1.2.3'] }), [
      'settings.sourceAddresses[0] 192.0.2.1/33 is neither an address nor a range',
      'settings.sourceAddresses[1] 1.2.3 is neither an address nor a range',
    ])
    const digest = { inboundUsername: 'carrier', inboundPassword: 'their-password' }
    await add({ settings: { host: 'a.example', sourceAddresses: ['0.0.0.0/0'], ...digest } })
    // Taking the name away is refused too, as it would let anybody in.
    const [row] = (await api('GET', '')).json.data
    assert.deepEqual(
      await faults('PATCH', `/${row.trunkId}`, { settings: { inboundUsername: null, inboundPassword: null } }),
      [anybody('0.0.0.0/0')],
    )
  })

  test('that are less safe than they look are reported, not refused', async () => {
    const fields = async (more: object) =>
      (await add({ settings: { ...settings, ...more } })).warnings.map(({ field }: { field: string }) => field)
    assert.deepEqual(await fields({ transport: 'tls', srtp: 'required' }), [])
    assert.deepEqual(await fields({ srtp: 'required' }), ['srtp'])
    assert.deepEqual(await fields({ transport: 'tls', tlsVerify: false }), ['srtp', 'tlsVerify'])
  })

  test('are described by a schema a form can be drawn from', async () => {
    const { json } = await api('GET', '/settings')
    const schema = json.data.settings
    assert.deepEqual(schema.required, ['host'])
    for (const [name, field] of Object.entries<Record<string, unknown>>(schema.properties)) {
      for (const key of ['title', 'description', 'x-group']) assert.equal(typeof field[key], 'string', `${name}.${key}`)
      assert.ok(schema.required.includes(name) || 'default' in field, `${name} has no default`)
    }
    assert.deepEqual([schema.properties.password['x-secret'], schema.properties.host['x-secret']], [true, undefined])
  })
})

describe('an Asterisk as a trunk', () => {
  const asterisk = {
    url: 'http://192.0.2.10:8088',
    username: 'tandem',
    password: 'pa55word',
    endpoint: 'PJSIP/{number}@c',
  }
  const make = { name: 'Asterisk', kind: 'asterisk', enabled: false }

  test('has settings of its own, complete and without secrets', async () => {
    const made = await add({ ...make, settings: asterisk })
    assert.deepEqual([made.kind, made.settings.application, made.settings.codec], ['asterisk', 'tandem', 'PCMU'])
    assert.deepEqual([made.settings.callsPerSecond, made.secretsSet], [5, ['password']])
    assert.ok(!('host' in made.settings) && !('password' in made.settings))
    assert.match(made.warnings[0]?.message ?? '', /use https/)
    assert.equal((await add()).kind, 'sip')
  })

  test('is refused what is missing, wrong, or of another kind', async () => {
    const { url: _, ...without } = asterisk
    assert.deepEqual(await faults('POST', '', { ...make, settings: without }), ['settings.url is required'])
    const [foreign] = await faults('POST', '', { ...make, settings: { ...asterisk, register: true } })
    assert.match(foreign ?? '', /^settings\.register is not a field/)
    const [wrong] = await faults('POST', '', { ...make, settings: { ...asterisk, endpoint: 'PJSIP/carrier' } })
    assert.match(wrong ?? '', /^settings\.endpoint .*PJSIP\/\{number\}@carrier/)
    const [ari] = await faults('POST', '', { ...make, settings: { ...asterisk, url: 'http://192.0.2.10:8088/ari' } })
    assert.match(ari ?? '', /^settings\.url .*without \/ari/)
    for (const url of [
      'http://93.184.216.34:8088',
      'http://pbx.example.com:8088',
      'http://[2606:2800:220:1::1]:8088',
    ]) {
      const [plain] = await faults('POST', '', { ...make, settings: { ...asterisk, url } })
      assert.match(plain ?? '', /^settings\.url must begin with https:/, url)
      await add({ ...make, settings: { ...asterisk, url: url.replace('http:', 'https:') } })
    }
    for (const url of ['http://localhost:8088', 'http://[::1]:8088', 'http://10.0.0.5:8088', 'http://asterisk:8088'])
      await add({ ...make, settings: { ...asterisk, url } })
    const { trunkId } = await add({ ...make, settings: asterisk })
    const [moved] = await faults('PATCH', `/${trunkId}`, { settings: { url: 'https://other.example.com' } })
    assert.match(moved ?? '', /^settings\.password must be entered again/)
    assert.match(
      (await faults('PATCH', `/${trunkId}`, { settings: { host: 'a.example.com' } }))[0] ?? '',
      /settings\.host/,
    )
  })

  test('has its form described beside that of SIP trunks', async () => {
    const { json } = await api('GET', '/settings')
    assert.deepEqual(
      json.data.kinds.map(({ kind }: { kind: string }) => kind),
      ['sip', 'asterisk'],
    )
    assert.deepEqual(json.data.kinds[0].settings, json.data.settings)
    assert.deepEqual(json.data.kinds[1].settings.required.toSorted(), ['endpoint', 'password', 'url', 'username'])
  })
})

describe('a test', () => {
  const run = async (id: string, body: object = {}) => {
    const { status, text, json } = await api('POST', `/${id}/test`, body)
    assert.equal(status, 200, text)
    return json.data
  }

  test('is given the settings with their secrets, and answers step by step', async () => {
    const { trunkId } = await add()
    const messages: TraceStep['messages'] = [{ direction: 'sent', text: 'OPTIONS sip:sip.example.com SIP/2.0' }]
    const step = { ok: true, durationMs: 1.5, message: 'Fine.', messages }
    steps = [
      { ...step, step: 'resolve' },
      { ...step, step: 'options' },
    ]
    assert.deepEqual(await run(trunkId), { ok: true, steps, routing: null })
    assert.deepEqual([asked?.settings.password, asked?.settings.optionsSeconds], ['pa55word', 30])
    assert.deepEqual([asked?.settings.inboundPassword, asked?.allow.length], [null, 1])
    steps = [{ ...step, step: 'resolve', ok: false }]
    assert.equal((await run(trunkId, { settings: { transport: 'tcp' } })).ok, false)
    assert.equal(asked?.settings.transport, 'tcp')
    assert.equal((await api('GET', `/${trunkId}`)).json.data.settings.transport, 'udp')
    asked = undefined
    assert.deepEqual(await run(trunkId, { connect: false }), { ok: true, steps: [], routing: null })
    assert.equal(asked, undefined)
    assert.deepEqual(await faults('POST', `/${trunkId}/test`, { settings: { username: null, register: true } }), [
      'settings.username is needed to register; enter it or set register to false',
      'settings.password belongs to a user name; enter one or leave the password out',
    ])
  })

  test('says which way a call would take, and why', async () => {
    const { trunkId } = await add({ name: 'near', enabled: true, routes: [{ prefix: '+49' }] })
    await add({ name: 'rest', enabled: true, routes: [{ prefix: '' }] })
    await add({ name: 'french', enabled: true, routes: [{ prefix: '+33' }] })
    await add({ name: 'off' })
    const { routing } = await run(trunkId, { to: '+49 30 123456', connect: false })
    type Way = { name: string; position: number | null; state: string }
    assert.deepEqual(
      routing.map(({ name, position, state }: Way) => [name, position, state]),
      [
        ['near', 1, 'unknown'],
        ['rest', 2, 'unknown'],
        ['off', null, 'disabled'],
        ['french', null, 'unknown'],
      ],
    )
    const { status, json } = await api('POST', `/${trunkId}/test`, { to: '12345678901234567890' })
    assert.deepEqual([status, json.error.code], [422, 'invalid_to_number'])
  })

  test('is offered only where something speaks SIP', () => {
    const ids = (endpoints: { id: string }[]) => endpoints.map(({ id }) => id)
    assert.ok(!ids(trunkEndpoints({})).includes('trunks.test'))
    assert.ok(ids(trunkEndpoints({ sip: async () => [] })).includes('trunks.test'))
  })
})
