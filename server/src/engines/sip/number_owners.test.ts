// Two organizations at one carrier, from the same address: whose a call is that comes in. Nobody takes another's calls by
// writing their number down, or keeps them from coming.
// test: waits
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addTrunk, type Carrier, sipEnv, startCarrier } from '../../../test/engines/sip_carrier.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { newId } from '../../kernel/values/ids.ts'

let t: TestApp
let carrier: Carrier
/** The account that its registrar knows, and the contact that is registered for it. */
let registered: string | undefined
before(async () => {
  t = await startTestApp({ work: true, env: sipEnv })
  carrier = await startCarrier({
    onRequest(request) {
      if (request.method !== 'REGISTER') return undefined
      const contact = request.headers.find(({ name }) => name === 'Contact')?.value ?? ''
      registered = /<([^>]+)>/.exec(contact)?.[1]
      return { status: 200, headers: [{ name: 'Contact', value: `${contact};expires=600` }] }
    },
  })
})
after(async () => {
  await t?.close()
  await carrier?.close()
})

const owner = () => t.main.tokens.Admin
const stranger = () => t.other.tokens.Admin

let made = 0
const fresh = () => `+1555020${String(1_000 + ++made)}`

async function addNumber(number: string, as: string): Promise<{ numberId: string; ownership: string }> {
  const { status, json, text } = await t.call('POST', '/v2/numbers', { as, body: { number } })
  assert.equal(status, 201, text)
  return json.data
}

/** Adds trunks to the carrier, one after the other, and takes them away afterwards. */
async function withTrunks(
  trunks: readonly { as: string; settings?: Record<string, unknown> }[],
  work: () => Promise<void>,
): Promise<void> {
  const added: { as: string; id: string }[] = []
  for (const { as, settings = {} } of trunks) added.push({ as, id: await addTrunk(t, carrier.port, { as, settings }) })
  const ids = added.map(({ id }) => id)
  await eventually('the trunks', async () => {
    const rows = await t.ownerSql('select 1 from trunk_states where trunk_id = any($1)', [ids])
    return rows.length === ids.length
  })
  try {
    await work()
  } finally {
    for (const { as, id } of added) await t.call('DELETE', `/v2/voice/trunks/${id}`, { as })
    await sleep(1_300)
  }
}

/** The carrier calls; answers the status that it was refused with, or 200, after which it hangs up. */
async function callIn(number: string, target?: string): Promise<number> {
  const port = await eventually('where the server listens', async () => carrier.seen.port)
  return new Promise(resolve => {
    const call = carrier.agent.call({
      from: '<sip:+15550100099@127.0.0.1>',
      to: `<sip:${number}@127.0.0.1>`,
      target: target ?? `sip:${number}@127.0.0.1:${port}`,
      local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
      handlers: {
        onMedia() {},
        onAnswered() {
          call.end()
          resolve(200)
        },
        onEnded: end => resolve(end.status),
      },
    })
  })
}

async function callsTo(number: string, as: string): Promise<number> {
  const { json } = await t.call('GET', `/v2/voice/calls?direction=inbound&to=${encodeURIComponent(number)}`, { as })
  return json.data.length
}

test('a stranger who writes the number down too neither gets its calls nor stops them', async () => {
  const number = fresh()
  assert.equal((await addNumber(number, owner())).ownership, 'unverified')
  assert.equal((await addNumber(number, stranger())).ownership, 'contested')
  await withTrunks([{ as: owner() }, { as: stranger() }], async () => {
    assert.equal(await callIn(number), 200)
    await eventually('the call', async () => (await callsTo(number, owner())) === 1)
    assert.equal(await callsTo(number, stranger()), 0)
  })
})

test('a trunk that asks for digest is not passed by, by way of a stranger that does not', async () => {
  const number = fresh()
  await addNumber(number, owner())
  await addNumber(number, stranger())
  const digest = { inboundUsername: 'carrier', inboundPassword: 'correct horse battery' }
  await withTrunks([{ as: owner(), settings: digest }, { as: stranger() }], async () => {
    assert.equal(await callIn(number), 401)
    assert.deepEqual([await callsTo(number, owner()), await callsTo(number, stranger())], [0, 0])
  })
})

test('nor by way of another trunk of the same organization', async () => {
  const number = fresh()
  await addNumber(number, owner())
  const digest = { inboundUsername: 'carrier', inboundPassword: 'correct horse battery' }
  await withTrunks([{ as: owner() }, { as: owner(), settings: digest }], async () => {
    assert.equal(await callIn(number), 401)
  })
})

test('a carrier that calls the account that is registered with it reaches its owner, no matter who holds the number', async () => {
  const number = fresh()
  // The stranger was first, and has proved nothing.
  await addNumber(number, stranger())
  assert.equal((await addNumber(number, owner())).ownership, 'contested')
  const account = { register: true, username: 'account-7', password: 'secret' }
  await withTrunks([{ as: stranger() }, { as: owner(), settings: account }], async () => {
    const contact = await eventually('the registration', async () => registered)
    assert.match(contact, /^sip:account-7@/)
    await eventually('its state', async () => {
      const { json } = await t.call('GET', '/v2/voice/trunks', { as: owner() })
      return json.data.some((trunk: { state: string }) => trunk.state === 'up')
    })
    assert.equal(await callIn(number, contact), 200)
    await eventually('the call', async () => (await callsTo(number, owner())) === 1)
    assert.equal(await callsTo(number, stranger()), 0)
  })
})

test('a registration elsewhere proves nothing to this carrier', async context => {
  const number = fresh()
  await addNumber(number, owner())
  await addNumber(number, stranger())
  // A registrar of the stranger's own, which accepts whatever it is given.
  const fake = await startCarrier({
    onRequest: ({ method }) => (method === 'REGISTER' ? { status: 200, headers: [] } : undefined),
  })
  context.after(() => fake.close())
  const claimed = { register: true, username: number, password: 'x', sourceAddresses: ['127.0.0.1'] }
  await withTrunks([{ as: owner() }, { as: stranger(), settings: { ...claimed, host: '127.0.0.2' } }], async () => {
    assert.equal(await callIn(number), 200)
    await eventually('the call', async () => (await callsTo(number, owner())) === 1)
    assert.equal(await callsTo(number, stranger()), 0)
  })
})

test('nor does a stranger get or stop them by a number of its own that its trunk reads in the same digits', async () => {
  const number = fresh()
  const digits = number.slice(1)
  const { numberId } = await addNumber(number, owner())
  // With the code of Austria in front, which a trunk of national numbers reads into them.
  await addNumber(`+43${digits}`, stranger())
  await t.ownerSql("update numbers set ownership = 'verified' where id = $1", [numberId])
  const austrian = { numberFormat: 'national', numberCountry: 'AT' }
  const asking = { ...austrian, inboundUsername: 'carrier', inboundPassword: 'correct horse battery' }
  const trunks = [{ as: owner() }, { as: stranger(), settings: austrian }, { as: stranger(), settings: asking }]
  await withTrunks(trunks, async () => {
    const port = await eventually('where the server listens', async () => carrier.seen.port)
    assert.equal(await callIn(number, `sip:${digits}@127.0.0.1:${port}`), 200)
    await eventually('the call', async () => (await callsTo(number, owner())) === 1)
  })
})

test('a trunk that calls in other processes fill takes no more, until one of them has ended', async () => {
  const number = fresh()
  await addNumber(number, owner())
  await withTrunks([{ as: owner(), settings: { concurrentCalls: 1 } }], async () => {
    assert.equal(await callIn(number), 200)
    await eventually('its end', async () => {
      const [row] = await t.ownerSql<{ ended: boolean }>(
        'select bool_and(ended_at is not null) as ended from calls where to_number = $1',
        [number],
      )
      return row?.ended === true
    })
    const values = [t.main.liveTenantId, newId('call')]
    await t.ownerSql(
      `with put as (
        insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state, answered_at,
          changed_at, trunk_id)
        select $1, $2, 'inbound', '+15550100099', '+15550100098', 60, 60, 'answered', now(), now(), id from trunks
        where tenant_id = $1 returning tenant_id, id
      )
      insert into call_leases (tenant_id, call_id, engine, owner) select tenant_id, id, 'trunks', 'another process' from put`,
      values,
    )
    assert.equal(await callIn(number), 503)
    await t.ownerSql('delete from call_leases where tenant_id = $1 and call_id = $2', values)
    await t.ownerSql('delete from calls where tenant_id = $1 and id = $2', values)
    assert.equal(await callIn(number), 200)
  })
})
