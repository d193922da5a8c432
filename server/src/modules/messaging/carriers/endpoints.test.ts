// Carriers over HTTP: what is kept secret stays so, what is wrong is named, and a test reports what happened.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { freshFolder } from '../../../../test/server_process.ts'
import { startSmsc, type TestSmsc, type TestSmscOptions } from '../../../../test/smsc.ts'

let t: TestApp
const sides: TestSmsc[] = []
before(async () => {
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' } })
})
after(() => t?.close())
beforeEach(() => t.ownerSql('delete from carriers'))
afterEach(async () => {
  for (const side of sides.splice(0)) await side.close()
})

async function startSide(options: TestSmscOptions = {}): Promise<TestSmsc> {
  const side = await startSmsc(options)
  sides.push(side)
  return side
}

const api = (method: string, path: string, body?: object, as = t.main.liveKey) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

const settings = { host: 'smpp.example.com', systemId: 'tandem', password: 'pa55word' }

async function add(more: object = {}) {
  const body = { kind: 'smpp', name: 'Remote', settings, enabled: false, ...more }
  const { status, text, json } = await api('POST', '/v2/carriers', body)
  assert.equal(status, 201, text)
  return json.data
}

async function faults(method: string, path: string, body: object): Promise<string[]> {
  const { status, json, text } = await api(method, path, body)
  assert.equal(status, 400, text)
  return json.error.details.map(({ field, message }: Record<string, string>) => `${field} ${message}`)
}

describe('settings', () => {
  test('are complete when they are made, and hold no secret when they are shown', async () => {
    const made = await add()
    assert.equal(made.settings.port, 2775)
    assert.equal(made.settings.windowSize, 10)
    assert.equal(made.settings.password, undefined)
    assert.deepEqual(made.secretsSet, ['password'])
    assert.deepEqual(made.routes, [{ prefix: '', priority: 10, cost: '0' }])
    assert.equal(made.currency, 'USD')
    assert.deepEqual([made.state, made.links, made.waiting], ['disabled', [], { messages: 0, oldestDueAt: null }])
    const { carrierId } = made
    for (const path of [`/v2/carriers/${carrierId}`, '/v2/carriers', '/v2/events', '/v2/requests'])
      assert.ok(!(await api('GET', path)).text.includes('pa55word'), path)
    const [row] = await t.ownerSql<{ text: string; secrets: string }>('select c::text as text, secrets from carriers c')
    assert.ok(row !== undefined && !row.text.includes('pa55word'))
    assert.match(row.secrets, /^sealed\.1\./)
  })

  test('change one by one; a secret that is left out stays', async () => {
    const { carrierId } = await add()
    const before = await t.ownerSql<{ settings_version: number; secrets: string }>('select * from carriers')
    const { json } = await api('PATCH', `/v2/carriers/${carrierId}`, { settings: { windowSize: 20 } })
    assert.deepEqual([json.data.settings.windowSize, json.data.settings.host], [20, 'smpp.example.com'])
    assert.deepEqual(json.data.secretsSet, ['password'])
    const after = await t.ownerSql<{ settings_version: number }>('select * from carriers')
    assert.equal(after[0]?.settings_version, (before[0]?.settings_version ?? 0) + 1)
    await api('PATCH', `/v2/carriers/${carrierId}`, { name: 'Other', routes: [{ prefix: '+' }] })
    const [row] = await t.ownerSql<{ settings_version: number; version: number }>('select * from carriers')
    assert.deepEqual([row?.settings_version, row?.version], [2, 3])
    assert.deepEqual((await api('GET', `/v2/carriers/${carrierId}`)).json.data.routes, [
      { prefix: '', priority: 10, cost: '0' },
    ])
  })

  test('do not lead the stored password to another host', async () => {
    const { carrierId } = await add()
    const moved = { settings: { host: 'evil.example.com' } }
    const expected = ['settings.password must be entered again when host changes']
    assert.deepEqual(await faults('PATCH', `/v2/carriers/${carrierId}`, moved), expected)
    assert.deepEqual(await faults('POST', `/v2/carriers/${carrierId}/test`, moved), expected)
    const { status } = await api('PATCH', `/v2/carriers/${carrierId}`, {
      settings: { host: 'new.example.com', password: 'another1' },
    })
    assert.equal(status, 200)
  })

  test('that are wrong are named, each with its remedy', async () => {
    const wrong = {
      kind: 'smpp',
      name: ' ',
      settings: {
        host: 'smpp://example.com/',
        port: 0,
        systemId: 'ä',
        binds: 9,
        longMessages: 'split',
        statuses: [{ status: '88', outcome: 'retry' }],
        tlsCa: 'no certificate',
      },
      routes: [{ prefix: '49', cost: '1,5' }],
    }
    const named = await faults('POST', '/v2/carriers', wrong)
    for (const field of [
      'host',
      'port',
      'systemId',
      'password',
      'binds',
      'longMessages',
      'statuses[0].status',
      'tlsCa',
    ])
      assert.ok(
        named.some(fault => fault.startsWith(`settings.${field} `)),
        `${field}: ${named}`,
      )
    for (const field of ['name', 'routes[0].prefix', 'routes[0].cost'])
      assert.ok(
        named.some(fault => fault.startsWith(`${field} `)),
        `${field}: ${named}`,
      )
    const statuses = [
      { status: '0x0', outcome: 'retry' },
      { status: '0x14', outcome: 'retry', code: 'filtered_as_spam' },
      { status: '0x00000014', outcome: 'refuse', retryAfterSeconds: 3 },
    ]
    assert.deepEqual(
      await faults('POST', '/v2/carriers', {
        kind: 'smpp',
        name: 'x',
        settings: { ...settings, defaultCountry: 'XX', statuses },
        routes: [{ prefix: '' }, { prefix: '+' }],
      }),
      [
        'settings.defaultCountry XX is not a country',
        'settings.statuses[0].status cannot be 0, which is no error',
        'settings.statuses[1].code belongs to the outcome refuse; leave it out',
        'settings.statuses[2].status lists 0x00000014 a second time',
        'settings.statuses[2].retryAfterSeconds belongs to the outcome retry; leave it out',
        'routes[1].prefix lists every destination a second time',
      ],
    )
  })

  test('are described by a schema a form can be drawn from', async () => {
    const { json } = await api('GET', '/v2/carriers/kinds')
    const [kind] = json.data.kinds
    assert.equal(kind.kind, 'smpp')
    assert.deepEqual(kind.settings.required, ['host', 'systemId', 'password'])
    for (const [name, field] of Object.entries<Record<string, unknown>>(kind.settings.properties)) {
      for (const key of ['title', 'description', 'x-group']) assert.equal(typeof field[key], 'string', `${name}.${key}`)
      assert.ok(kind.settings.required.includes(name) || 'default' in field, `${name} has no default`)
    }
    assert.equal(kind.settings.properties.password['x-secret'], true)
  })
})

test('what waits for a carrier is counted', async () => {
  const { carrierId } = await add()
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
     values ($1, 'a', $2, '2026-01-01', '{m1,m2}'), ($1, 'b', $2, '2026-01-02', '{m3}'), ($3, 'c', $2, '2026-01-02', '{m4}')`,
    [t.main.liveTenantId, carrierId, t.other.liveTenantId],
  )
  assert.deepEqual((await api('GET', `/v2/carriers/${carrierId}`)).json.data.waiting, {
    messages: 3,
    oldestDueAt: '2026-01-01T00:00:00.000Z',
  })
  await t.ownerSql("delete from message_jobs where id in ('a', 'b', 'c')")
})

describe('a test', () => {
  const run = async (id: string, body: object = {}) => {
    const { status, text, json } = await api('POST', `/v2/carriers/${id}/test`, body)
    assert.equal(status, 200, text)
    assert.ok(!text.includes('pa55word') && !text.includes('another1'), 'shows no password')
    return json.data
  }
  type Step = { step: string; ok: boolean; message: string; pdus: { direction: string; text: string }[] }
  const reported = (steps: Step[]) => steps.map(({ step, ok }) => `${step} ${ok}`)

  test('reports every step to a carrier that answers', async context => {
    const side = await startSide({ password: 'pa55word' })
    // A carrier that looks at one connection at a time sees no other.
    let connections = 0
    const front = createServer(socket => {
      connections++
      const back = connect(side.port, '127.0.0.1')
      socket.pipe(back).on('error', () => {})
      back.pipe(socket).on('error', () => {})
    }).listen(0, '127.0.0.1')
    context.after(() => front.close())
    await once(front, 'listening')
    const { port } = front.address() as AddressInfo
    const { carrierId } = await add({ settings: { ...settings, host: '127.0.0.1', port } })
    const { ok, steps, routing } = await run(carrierId)
    assert.deepEqual([ok, connections], [true, 1])
    assert.deepEqual(reported(steps), ['resolve true', 'connect true', 'bind true', 'enquire_link true', 'unbind true'])
    assert.equal(routing, null)
    const [bind, enquire, unbind] = steps.slice(2) as [Step, Step, Step]
    assert.deepEqual(
      bind.pdus.map(({ direction, text }) => `${direction} ${text.split(' ')[0]}`),
      ['sent bind_transceiver', 'received bind_transceiver_resp'],
    )
    assert.match(bind.pdus[0]?.text ?? '', /systemId="tandem" password="\*+"/)
    assert.match(enquire.pdus[1]?.text ?? '', /^enquire_link_resp/)
    assert.match(unbind.pdus[1]?.text ?? '', /^unbind_resp/)
    assert.equal(side.smsc.sessions.length, 0)
  })

  test('stops where it fails, and says what to do', async () => {
    const side = await startSide()
    const { carrierId } = await add({ settings: { ...settings, host: '127.0.0.1', port: side.port } })
    const { ok, steps } = await run(carrierId)
    assert.equal(ok, false)
    assert.deepEqual(reported(steps), ['resolve true', 'connect true', 'bind false'])
    assert.match(steps[2].message, /refuses the password/)
    const right = await run(carrierId, { settings: { password: 'secret' } })
    assert.equal(right.ok, true)
    const closed = await run(carrierId, { settings: { port: 1 } })
    assert.deepEqual(reported(closed.steps), ['resolve true', 'connect false'])
    assert.match(closed.steps[1].message, /Nothing listens on port 1/)
    for (const host of ['169.254.169.254', '10.0.0.1', '::1', 'no-such-name.invalid']) {
      const { steps: stopped } = await run(carrierId, { settings: { host, password: 'another1' } })
      assert.deepEqual(reported(stopped), ['resolve false'], host)
      assert.match(stopped[0].message, host.endsWith('invalid') ? /No address was found/ : /may not reach/)
    }
    const noTls = await run(carrierId, { settings: { tls: true } })
    assert.deepEqual(reported(noTls.steps), ['resolve true', 'connect true', 'tls false'])
  })

  test('checks certificates', async () => {
    const folder = freshFolder()
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=far', '-addext', 'subjectAltName=IP:127.0.0.1']
    const how = ['req', '-x509', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    execFileSync('openssl', [...how, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
    const tls = { key: readFileSync(key), cert: readFileSync(cert) }
    const side = await startSide({ password: 'pa55word', smsc: { tls } })
    const { carrierId } = await add({ settings: { ...settings, host: '127.0.0.1', port: side.port, tls: true } })
    const unknown = await run(carrierId)
    assert.deepEqual(reported(unknown.steps), ['resolve true', 'connect true', 'tls false'])
    assert.match(unknown.steps[2].message, /signed by itself/)
    const known = await run(carrierId, { settings: { tlsCa: String(tls.cert) } })
    assert.equal(known.ok, true, JSON.stringify(known.steps))
    assert.equal((await run(carrierId, { settings: { tlsVerify: false } })).ok, true)
    const named = await run(carrierId, {
      settings: { tlsCa: String(tls.cert), host: 'localhost', password: 'pa55word' },
    })
    assert.deepEqual(reported(named.steps).slice(0, 1), ['resolve true'], JSON.stringify(named.steps))
    assert.match(named.steps[2].message, /not for this host/)
  })

  test('reports which carriers a message would take, and why', async () => {
    const side = await startSide({ password: 'pa55word' })
    const far = { ...settings, host: '127.0.0.1', port: side.port }
    const cheap = await add({ name: 'cheap', enabled: true, settings: far, routes: [{ prefix: '+49', cost: '0.05' }] })
    const dear = await add({ name: 'dear', enabled: true, settings: far, routes: [{ prefix: '+49', cost: '0.07' }] })
    const rest = await add({ name: 'rest', enabled: true, settings: far, routes: [{ prefix: '' }] })
    const french = await add({ name: 'french', enabled: true, settings: far, routes: [{ prefix: '+33' }] })
    const off = await add({ name: 'off', settings: far })
    await t.ownerSql(
      `insert into carrier_links (tenant_id, carrier_id, link, role, state, state_since, owner, counters)
       select $1, id, 0, 'transceiver', 'up', now(), 'test', '{}' from unnest($2::text[]) as u (id)`,
      [t.main.liveTenantId, [dear.carrierId, rest.carrierId, french.carrierId]],
    )
    const { routing } = await run(cheap.carrierId, { to: '+49 151 1234567' })
    const binds = side.binds()
    const dry = await run(cheap.carrierId, { to: '+49 151 1234567', bind: false })
    assert.deepEqual(dry, { ok: true, steps: [], routing }, 'without a bind only the routing is reported')
    assert.equal(side.binds(), binds, 'no link was opened')
    type Way = { name: string; position: number | null; prefix: string | null; state: string; reason: string }
    assert.deepEqual(
      routing.map(({ name, position, prefix, state }: Way) => [name, position, prefix, state]),
      [
        ['dear', 1, '+49', 'up'],
        ['rest', 2, '', 'up'],
        ['cheap', 3, '+49', 'connecting'],
        ['off', null, null, 'disabled'],
        ['french', null, null, 'up'],
      ],
    )
    const reasons = Object.fromEntries(routing.map(({ name, reason }: Way) => [name, reason]))
    assert.match(reasons.dear, /first choice/)
    assert.match(reasons.rest, new RegExp(`after ${dear.carrierId}, whose prefix fits more closely`))
    assert.match(reasons.cheap, /None of its links is up.*which has a link that is up/)
    assert.match(reasons.french, /None of its routes/)
    assert.match(reasons.off, /switched off/)
    assert.equal(off.state, 'disabled')
  })
})
