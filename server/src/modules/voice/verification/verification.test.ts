// Proving that a number is one's own: the code comes by the operator's carrier, so that anyone who asks cannot read it on the way;
// what is proved takes the number over from who only wrote it down, and is taken over by nobody.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeTo } from '../../../../test/contracts/verification.ts'
import { setPolicy } from '../../../../test/destinations.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { assignNumber } from '../../messaging/numbers/assign_store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
  for (const { liveTenantId } of [t.main, t.other])
    await t.ownerSql(
      `insert into carriers (tenant_id, id, kind, name, settings, routes, currency)
       values ($1, 'car_texts', 'smpp', 'Texts', '{}', '[{"prefix":""}]', 'USD')`,
      [liveTenantId],
    )
  await add('+493055500000', operator())
})
after(() => t?.close())

/** The first organization runs the installation. */
// Keys, as days go by.
const operator = () => t.main.liveKey
const customer = () => t.other.liveKey

async function add(number: string, as: string) {
  const { status, json, text } = await t.call('POST', '/v2/numbers', { as, body: { number } })
  assert.equal(status, 201, text)
  return json.data as { numberId: string; ownership: string }
}

let made = 0
const fresh = () => `+49305551${String(1_000 + ++made)}`

const ask = (numberId: string, as: string, method = 'text') =>
  t.call('POST', `/v2/numbers/${numberId}/verification`, { as, body: { method } })
const confirm = (numberId: string, as: string, code: string) =>
  t.call('POST', `/v2/numbers/${numberId}/verification/confirm`, { as, body: { code } })
const ownershipOf = async (numberId: string, as: string) =>
  (await t.call('GET', `/v2/numbers/${numberId}`, { as })).json.data.ownership

const eventsOf = (id: string) =>
  t.sql<{ type: string; sequence: number; ownership: string }>(
    "select type, sequence, data ->> 'ownership' as ownership from event_log where resource_id = $1 order by sequence",
    [id],
  )

test('who proves a number takes it over from who only wrote it down, and each is notified', async () => {
  const number = fresh()
  const theirs = await add(number, operator())
  const mine = await add(number, customer())
  assert.deepEqual([theirs.ownership, mine.ownership], ['unverified', 'contested'])

  const asked = await ask(mine.numberId, customer())
  assert.equal(asked.status, 200, asked.text)
  assert.equal(asked.json.data.requestsLeft, 4)
  const confirmed = await confirm(mine.numberId, customer(), await codeTo(t, number))
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.equal(confirmed.json.data.ownership, 'verified')
  assert.equal(await ownershipOf(theirs.numberId, operator()), 'contested')
  assert.deepEqual(await eventsOf(mine.numberId), [
    { type: 'number.created', sequence: 1, ownership: 'contested' },
    { type: 'number.verified', sequence: 2, ownership: 'verified' },
  ])
  assert.deepEqual(await eventsOf(theirs.numberId), [
    { type: 'number.created', sequence: 1, ownership: 'unverified' },
    { type: 'number.contested', sequence: 2, ownership: 'contested' },
  ])

  // What is proved stays: the other one's proof is worth nothing now.
  assert.equal((await ask(theirs.numberId, operator())).status, 200)
  const late = await confirm(theirs.numberId, operator(), await codeTo(t, number))
  assert.equal(late.json.error.code, 'number_held')
  assert.equal(await ownershipOf(mine.numberId, customer()), 'verified')

  // Released, it passes to who has had it longest of the others.
  await t.call('DELETE', `/v2/numbers/${mine.numberId}`, { as: customer() })
  assert.equal(await ownershipOf(theirs.numberId, operator()), 'unverified')
})

test('a takeover that does not come to its end leaves the number with who has it, and is done by the same code', async () => {
  const number = fresh()
  const theirs = await add(number, operator())
  const mine = await add(number, customer())
  await ask(mine.numberId, customer())
  const code = await codeTo(t, number)
  await t.ownerSql(`
    create function refuse_verified() returns trigger language plpgsql as
      $$ begin raise exception 'the process is gone' using errcode = '57P01'; end $$;
    create trigger refuse_verified before insert on events for each row
      when (new.type = 'number.verified') execute function refuse_verified()`)
  const failed = await confirm(mine.numberId, customer(), code).finally(() =>
    t.ownerSql('drop trigger refuse_verified on events; drop function refuse_verified'),
  )
  assert.ok(failed.status >= 500, failed.text)
  assert.equal(await ownershipOf(theirs.numberId, operator()), 'unverified')
  assert.deepEqual(
    (await eventsOf(theirs.numberId)).map(({ type }) => type),
    ['number.created'],
  )
  assert.equal((await confirm(mine.numberId, customer(), code)).json.data?.ownership, 'verified')
  assert.equal(await ownershipOf(theirs.numberId, operator()), 'contested')
})

test('the code goes out by the operator, whatever carriers the one who asks has', async () => {
  const number = fresh()
  const { numberId } = await add(number, customer())
  await ask(numberId, customer())
  const rows = await t.sql<{ tenant_id: number; from_address: string; body: string }>(
    'select tenant_id, from_address, body from messages where to_address = $1',
    [number],
  )
  assert.deepEqual(
    rows.map(({ tenant_id, from_address }) => [tenant_id, from_address]),
    [[t.main.liveTenantId, '+493055500000']],
  )
  assert.match(rows[0]!.body, /^\d{6} is the code/)
})

test('a contested number is no sender of texts or calls', async () => {
  const number = fresh()
  await add(number, operator())
  await add(number, customer())
  const text = await t.call('POST', '/v2/messages/sms', {
    as: customer(),
    body: { from: number, to: '+4915123456789', body: 'Hello' },
  })
  assert.equal(text.status, 403)
  assert.equal(text.json.error.code, 'sender_not_owned')
  assert.match(text.json.error.message, /verification/)
  await t.ownerSql(
    "insert into trunks (tenant_id, id, name, settings, routes) values ($1, 'trk_1', 'One', '{}', '[]')",
    [t.other.liveTenantId],
  )
  const call = await t.call('POST', '/v2/voice/calls', { as: customer(), body: { from: number, to: '+4915123456789' } })
  assert.equal(call.json.error.code, 'caller_id_not_allowed', call.text)
})

test('a code cannot be guessed, is good for ten minutes, and comes five times a day', async () => {
  const number = fresh()
  const { numberId } = await add(number, customer())
  await ask(numberId, customer())
  const code = await codeTo(t, number)
  const wrong = code === '000000' ? '000001' : '000000'
  const tries: string[] = []
  for (let n = 0; n < 6; n++) tries.push((await confirm(numberId, customer(), wrong)).json.error.code)
  assert.deepEqual(tries, [...Array(5).fill('number_verification_wrong_code'), 'number_verification_expired'])
  assert.equal((await confirm(numberId, customer(), code)).json.error.code, 'number_verification_expired')

  await ask(numberId, customer())
  t.clock.advance(10 * 60_000)
  const late = await confirm(numberId, customer(), await codeTo(t, number))
  assert.equal(late.json.error.code, 'number_verification_expired')

  const answers: number[] = []
  for (let n = 0; n < 4; n++) answers.push((await ask(numberId, customer())).status)
  assert.deepEqual(answers, [200, 200, 200, 429])
  const limited = await ask(numberId, customer())
  assert.ok(Number(limited.headers['retry-after']) > 23 * 3_600)
  // A code of one number is none of another's.
  const other = await add(fresh(), customer())
  await ask(other.numberId, customer())
  const foreign = await confirm(other.numberId, customer(), await codeTo(t, number))
  assert.equal(foreign.json.error.code, 'number_verification_wrong_code')
})

test('who removes a number and adds it again has no more codes and tries, nor an organization for ever new numbers', async () => {
  const number = fresh()
  const answers: number[] = []
  for (let n = 0; n < 6; n++) {
    const { numberId } = await add(number, customer())
    answers.push((await ask(numberId, customer())).status)
    await t.call('DELETE', `/v2/numbers/${numberId}`, { as: customer() })
  }
  assert.deepEqual(answers, [200, 200, 200, 200, 200, 429])
  t.clock.advance(24 * 3_600_000)
  assert.equal((await ask((await add(number, customer())).numberId, customer())).status, 200)
  // Asked for at once, too: 49 more of the organization, whichever numbers they are for.
  const numbers = await Promise.all(Array.from({ length: 60 }, () => add(fresh(), customer())))
  const asked = await Promise.all(numbers.map(({ numberId }) => ask(numberId, customer())))
  assert.equal(asked.filter(({ status }) => status === 200).length, 49)
  assert.match(asked.find(({ status }) => status === 429)?.json.error.message, /50 codes .* organization/)
  t.clock.advance(24 * 3_600_000)
})

test('no code goes to a number that costs more, whatever the operator may call', async () => {
  await setPolicy(t, 'organization', { allowedKinds: ['premium_rate'] }, t.main.liveKey)
  const { numberId } = await add('+19005551234', customer())
  const answer = await ask(numberId, customer())
  assert.equal(answer.json.error?.code, 'number_verification_unavailable', answer.text)
})

test('where the operator has no trunk nobody can be called with a code, and that is said', async () => {
  const { numberId } = await add(fresh(), customer())
  const answer = await ask(numberId, customer(), 'call')
  assert.equal(answer.json.error.code, 'number_verification_unavailable')
  await t.ownerSql(
    "insert into trunks (tenant_id, id, name, settings, routes) values ($1, 'trk_operator', 'One', '{}', '[]')",
    [t.main.liveTenantId],
  )
  assert.equal((await ask(numberId, customer(), 'call')).status, 200)
  const calls = await t.sql<{ to_number: string; instructions: { text: string }[] }>(
    'select to_number, instructions from calls where tenant_id = $1',
    [t.main.liveTenantId],
  )
  const spoken = /is: ([\d, ]+)\./.exec(calls[0]?.instructions[0]?.text ?? '')?.[1]?.replaceAll(/\D/g, '') ?? ''
  const confirmed = await confirm(numberId, customer(), spoken)
  assert.equal(confirmed.json.data.ownership, 'verified', confirmed.text)
})

test('the operator’s word holds against any proof, and both organizations are notified', async () => {
  const number = fresh()
  const theirs = await add(number, operator())
  const mine = await add(number, customer())
  await ask(theirs.numberId, operator())
  await confirm(theirs.numberId, operator(), await codeTo(t, number))
  const assign = (asked: { number: string; organizationId: number }) =>
    t.asEngine(client => assignNumber(client, asked, t.clock.now()))
  const { organizationId } = t.other
  assert.match((await assign({ number: 'nonsense', organizationId })).text, /no telephone number/)
  assert.match((await assign({ number: fresh(), organizationId })).text, /has not added/)
  const done = await assign({ number, organizationId })
  assert.deepEqual([done.isDone, /^\+49\d+ belongs to .* contested now\.$/.test(done.text)], [true, true])
  assert.deepEqual(
    [await ownershipOf(mine.numberId, customer()), await ownershipOf(theirs.numberId, operator())],
    ['verified', 'contested'],
  )
  assert.equal((await eventsOf(mine.numberId)).at(-1)?.type, 'number.verified')
  assert.equal((await eventsOf(theirs.numberId)).at(-1)?.type, 'number.contested')
})
