// Property: whatever the policies of organization, key and trunks say, and whichever ways are tried in whichever order and at once,
// nothing leaves that any of them refuses, nothing is refused that all let pass, no ceiling is exceeded, and when all calls are over,
// ended or lost, nothing of them is left: no place taken, no minute that was not talked.
// test: waits
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { keyWithPolicy, setPolicy } from '../../../test/destinations.ts'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { carryByTestDriver, createTestDriver, type Tried, until } from '../../../test/engines/trunks.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { patientWatch } from '../../../test/voice/calls.ts'
import { createTestLeg } from '../../../test/voice/engine.ts'

const numbers = {
  '+493012345678': { country: 'DE', kind: null },
  '+12025550123': { country: 'US', kind: null },
  '+19005551234': { country: 'US', kind: 'premium_rate' },
  '+881612345678': { country: null, kind: 'satellite' },
} as const
type Target = keyof typeof numbers
const plain: Target = '+12025550123'
const ways = ['api', 'phone', 'dial', 'transfer', 'refer', 'text'] as const

type Rules = {
  allowedCountries: string[] | null
  allowedKinds: string[] | null
  allowedPrefixes: string[]
  blockedPrefixes: string[]
  concurrentCalls: number | null
  dailyCalls: number | null
  dailySpend: { currency: string; amount: string }[] | null
}

/** Mostly none where all calls go, so that what comes behind is met too. */
const some = (most: number, often: number) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: often, arbitrary: fc.nat(most) })
const rules = (of: 'organization' | 'key' | 'trunk', often = of === 'trunk' ? 6 : 1): fc.Arbitrary<Rules> =>
  fc.record({
    allowedCountries: fc.constantFrom(null, null, ['US'], ['DE'], ['DE', 'US']),
    allowedKinds: fc.constantFrom(
      of === 'organization' ? [] : null,
      [],
      ['premium_rate'],
      ['premium_rate', 'satellite'],
    ),
    allowedPrefixes: fc.constantFrom([], [], ['+1900555'], ['+8816']),
    blockedPrefixes: fc.constantFrom([], [], ['+49'], ['+19005551']),
    concurrentCalls: some(3, often),
    dailyCalls: some(4, often),
    dailySpend: some(6, often).map(halves =>
      halves === null ? null : [{ currency: 'USD', amount: String(halves / 2) }],
    ),
  })
const attempt = fc.record({
  way: fc.constantFrom(...ways),
  to: fc.constantFrom(plain, plain, ...(Object.keys(numbers) as Target[])),
  isKeyed: fc.boolean(),
})
const world = fc.record({
  organization: rules('organization'),
  key: rules('key'),
  first: rules('trunk'),
  second: rules('trunk'),
  // Those of one step are tried at once.
  steps: fc.array(fc.array(attempt, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  /** Which of the calls that are left are lost, not ended. */
  isLost: fc.boolean(),
})
type Attempt = typeof attempt extends fc.Arbitrary<infer One> ? One : never

/** Said once more, and differently from the product: whether one policy lets a number pass. */
function allows({ allowedCountries, allowedKinds, allowedPrefixes, blockedPrefixes }: Rules, to: Target): boolean {
  const fits = (list: string[]) => Math.max(0, ...list.filter(one => to.startsWith(one)).map(one => one.length))
  if (fits(blockedPrefixes) > 0 && fits(blockedPrefixes) >= fits(allowedPrefixes)) return false
  if (fits(allowedPrefixes) > 0) return true
  const { country, kind } = numbers[to]
  if (kind !== null && allowedKinds !== null && !allowedKinds.includes(kind)) return false
  return allowedCountries === null || (country === null ? kind !== null : allowedCountries.includes(country))
}

let t: TestApp
let trunks: { first: string; second: string }
/** The newest call of the run before. */
let lastBefore = ''
let running: { stop(): Promise<void> }
const { driver, tried, host } = createTestDriver()
before(async () => {
  t = await startTestApp({ env: sipEnv })
  const route = (priority: number, cost: string) => [{ prefix: '', priority, weight: 1, cost }]
  trunks = {
    first: await addTrunk(t, 9, { routes: route(1, '0.5') }),
    second: await addTrunk(t, 9, { routes: route(2, '0.25') }),
  }
  running = carryByTestDriver(t, driver)
  await until(() => {
    try {
      return host()
    } catch {
      return undefined
    }
  })
})
after(async () => {
  await running?.stop()
  await t?.close()
})

type Row = {
  id: string
  to_number: string
  key_id: string | null
  trunk_id: string | null
  price: number
  state: string
  counted: boolean
}
const rowsOf = () =>
  t.ownerSql<Row & { hangup_cause: string | null; direction: string }>(`
    select id, to_number, key_id, trunk_id, counted, state, hangup_cause, direction,
      (coalesce(rate_micros, 0) * case when answered_at is null or ended_at is null then 0
        else ceil(extract(epoch from ended_at - answered_at) / 60) end)::float8 as price
    from calls where id > '${lastBefore}'`)
const isOver = async (callId: string) =>
  (await t.ownerSql<{ over: boolean }>(`select ended_at is not null as over from calls where id = '${callId}'`))[0]
    ?.over
/** The remote party of a call once it is dialled; undefined where that does not happen. */
const dialled = async (callId: string) => {
  const found = await until(async () => tried.find(one => one.callId === callId) ?? ((await isOver(callId)) && 'over'))
  return found === 'over' ? undefined : found
}
/** The same of the leg that a call dials; waits until the call has one, or says that it may not. */
const child = async (parentId: string, nth = 0): Promise<Tried | undefined> => {
  const id = await until(async () => {
    const text = `select id from calls where parent_call_id = '${parentId}' order by id offset ${nth} limit 1`
    const [row] = await t.ownerSql<{ id: string }>(text)
    return row?.id ?? ((await isOver(parentId)) && 'over')
  })
  return id === 'over' ? undefined : dialled(id)
}

type Run = { policies: { organization: Rules; key: Rules }; secret: string; keyId: string }

/** Tries to reach a number; what the API said of it at once, where it did. */
async function reach(
  { way, to, isKeyed }: Attempt,
  { secret }: Run,
): Promise<{ status: number; code?: string } | undefined> {
  const as = isKeyed ? secret : t.main.liveKey
  const ask = async (path: string, body: object) => {
    const { status, json } = await t.call('POST', path, { as, body })
    return { status, code: json.error?.code as string, callId: json.data?.callId as string }
  }
  const call = (number: string, instructions?: object[]) =>
    ask('/v2/voice/calls', { from: '+15550100001', to: number, ...(instructions && { instructions }) })
  const target = { type: 'number', number: to }
  if (way === 'text') return ask('/v2/messages/sms', { from: '+15005550006', to, body: 'Hello' })
  if (way === 'api') {
    const { callId, ...said } = await call(to)
    if (said.status === 200) await dialled(callId)
    return said
  }
  if (way === 'phone') {
    const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
    const dial = { verb: 'dial', targets: [target], answerOnBridge: true }
    const stored = await host().store(scope, {
      ...{ from: 'sip:desk@phones.test', to, callerName: null, trunkId: null, mode: 'live' as const },
      handling: { callback_url: null, fallback_url: null, instructions: [dial] as never },
    })
    const ringing = { callId: stored.id, from: '+15550100001', to, callerName: null, timeoutSeconds: 60 }
    host().run(
      stored,
      createTestLeg(ringing, () => Date.now()),
    )
    await child(stored.id)
    return undefined
  }
  const first = way === 'refer' ? { type: 'number', number: plain } : target
  const { callId } = await call(plain, [
    way === 'transfer' ? { verb: 'transfer', to: target, mode: 'attended' } : { verb: 'dial', targets: [first] },
  ])
  const remote = callId && (await dialled(callId))
  if (!remote) return undefined
  remote.happen({ type: 'answered' })
  const leg = await child(callId)
  if (way !== 'refer' || leg === undefined) return undefined
  leg.happen({ type: 'answered' })
  await until(async () => {
    const bridged = `select 1 from event_log where resource_id = '${callId}' and type = 'call.bridged'`
    return (await t.ownerSql(bridged)).length > 0 || (await isOver(callId))
  })
  const settled = new Promise(settle => leg.happen({ type: 'transfer_requested', to, replaces: null, settle }))
  await Promise.race([settled, child(callId, 1)])
  return undefined
}

test('no sequence of ways passes a policy by, exceeds a ceiling, or leaves anything behind', {
  timeout: 280_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ organization, key, first, second, steps, isLost }) => {
      // A run that failed may have left some.
      await endAll()
      await forget()
      tried.length = 0
      const { secret, keyId } = await keyWithPolicy(t, key as never, { mode: 'live' })
      const policies = new Map([
        ['organization', organization],
        [keyId, key],
        [trunks.first, first],
        [trunks.second, second],
      ])
      for (const [of, body] of policies) await setPolicy(t, of, body as never, t.main.liveKey)
      const run: Run = { policies: { organization, key }, secret, keyId }
      const mayLeave = (to: Target, isKeyed: boolean) => allows(organization, to) && (!isKeyed || allows(key, to))

      for (const step of steps) {
        const said = await Promise.all(step.map(one => reach(one, run)))
        for (const [index, answer] of said.entries()) {
          if (answer === undefined) continue
          const { to, isKeyed } = step[index] as Attempt
          const isShut = answer.code?.startsWith('destination_') === true
          assert.equal(isShut, !mayLeave(to, isKeyed), `${JSON.stringify(step[index])} was answered ${answer.code}`)
        }
        await withinCeilings(policies)
      }
      for (const { callId, to, trunkId } of tried) {
        const [row] = (await rowsOf()).filter(({ id }) => id === callId)
        const isPassed =
          mayLeave(to as Target, row?.key_id === keyId) && allows(policies.get(trunkId ?? '') as Rules, to as Target)
        assert.ok(isPassed, `${to} left by ${trunkId}, asked for with ${row?.key_id}`)
      }
      for (const { to_number, hangup_cause, key_id } of await rowsOf())
        if (hangup_cause?.startsWith('destination_') && Object.hasOwn(numbers, to_number)) {
          const to = to_number as Target
          const isOpen = mayLeave(to, key_id === keyId) && (allows(first, to) || allows(second, to))
          assert.ok(!isOpen, `${to} was refused for nothing: ${hangup_cause}`)
        }

      if (isLost) {
        await t.ownerSql(`update call_leases set heartbeat_at = clock_timestamp() - interval '35 seconds'`)
        const lost = await patientWatch(t)
        await lost.work(await lost.claim('', 1_000), '', () => false)
      }
      await endAll()
      await settledExactly(policies)
    }),
    { numRuns: 25 },
  )
})

/** Ends what is under way, and waits until it is settled. */
async function endAll(): Promise<void> {
  for (const one of tried) one.end()
  for (const { id } of await rowsOf()) await t.call('POST', `/v2/voice/calls/${id}/hangup`, { as: t.main.liveKey })
  await until(async () => {
    const [left] = await t.ownerSql<{ n: string }>(
      'select (select count(*) from calls where ended_at is null) + (select count(*) from call_spend) as n',
    )
    return Number(left?.n) === 0
  })
}

type Used = { spend: number; active: number }
async function usedBy(subject: string): Promise<Used> {
  const [row] = await t.ownerSql<Used>(
    `select coalesce((u.spend ->> 'USD')::float8, 0) as spend,
       (select count(*)::integer from calls c where c.counted and c.ended_at is null
         and ($1 = 'organization' or c.key_id = $1 or c.trunk_id = $1)) as active
     from (select) one left join destination_usage u on u.subject = $1`,
    [subject],
  )
  return row as Used
}

async function withinCeilings(policies: Map<string, Rules>): Promise<void> {
  const rows = await rowsOf()
  for (const [subject, { concurrentCalls, dailyCalls, dailySpend }] of policies) {
    const { spend, active } = await usedBy(subject)
    const calls = subject.startsWith('trk_')
      ? tried.filter(one => one.trunkId === subject).length
      : rows.filter(row => row.counted && (subject === 'organization' || row.key_id === subject)).length
    assert.ok(
      concurrentCalls === null || active <= concurrentCalls,
      `${subject}: ${active} of ${concurrentCalls} at a time`,
    )
    assert.ok(dailyCalls === null || calls <= dailyCalls, `${subject}: ${calls} of ${dailyCalls} today`)
    const most = dailySpend === null ? null : Number(dailySpend[0]?.amount) * 1_000_000
    assert.ok(most === null || spend <= most, `${subject}: ${spend} of ${most} spent`)
  }
}

/** What is counted as spent is what the calls cost that it was taken for, and not a minute more. */
async function settledExactly(policies: Map<string, Rules>): Promise<void> {
  const rows = await rowsOf()
  for (const [subject, { dailySpend }] of policies) {
    const { spend, active } = await usedBy(subject)
    const own = rows.filter(row => [row.key_id, row.trunk_id, 'organization'].includes(subject))
    const cost = own.reduce((sum, { price }) => sum + price, 0)
    assert.equal(active, 0)
    if (dailySpend !== null) assert.equal(spend, cost, `${subject} spent ${spend} on calls that cost ${cost}`)
  }
}

async function forget(): Promise<void> {
  const [last] = await t.ownerSql<{ id: string }>('select id from calls order by id desc limit 1')
  lastBefore = last?.id ?? lastBefore
  await t.ownerSql('delete from destination_usage')
  await t.ownerSql('delete from destination_policies')
}
