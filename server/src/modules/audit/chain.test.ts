// The chain of the audit log: what was changed, cut out, moved or added shows, and it is said where. Events are sealed once each, on
// however many nodes; names are erased without a trace in it.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import type { App } from '../../app.ts'
import { auditScope } from '../../kernel/audit/record.ts'
import { expireSeal } from './policy_store.ts'
import { expireAuditEvents } from './retention.ts'
import { sealEvents } from './sealing.ts'
import { type Verdict, verifyExport } from './verify.ts'
import { auditCommand } from './verify_command.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
  await change(7)
  await seal()
  await change(5)
  await seal()
})
after(() => t?.close())

const as = () => t.main.tokens.Admin
const currencies = ['EUR', 'CHF', 'USD']

async function change(times: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    const body = { currency: currencies[round % 3] }
    assert.equal((await t.call('PATCH', '/v2/organization', { as: as(), body })).status, 200)
  }
}

async function seal({ services }: Pick<App, 'services'> = t.app): Promise<void> {
  const queue = sealEvents(services)
  await queue.work(await queue.claim('', 100), '', () => false)
}

async function exported(query = ''): Promise<string[]> {
  const answer = await t.call('GET', `/v2/audit-events/export${query}`, { as: as() })
  assert.equal(answer.status, 200, answer.text)
  return answer.text.trimEnd().split('\n')
}

async function* each(lines: readonly string[]) {
  yield* lines
}

const jwks = () => t.app.services.tokens.jwks().keys
const verdictOf = (lines: readonly string[]): Promise<Verdict> => verifyExport(each(lines), jwks())
const faultsOf = async (lines: readonly string[]) => (await verdictOf(lines)).faults.map(({ what }) => what)

/** Positions and ids of the chain. */
const chain = () =>
  t.ownerSql<{ position: number; event_id: string; hash: string }>(
    'select position, event_id, hash from audit_chain where organization_id = $1 order by position',
    [t.main.organizationId],
  )

test('an export as it was sealed verifies', async () => {
  const verdict = await verdictOf(await exported())
  assert.deepEqual(verdict.faults, [])
  assert.equal(verdict.complete, true)
  assert.equal(verdict.seals, 2)
  assert.ok(verdict.events >= 12)
})

const tables = ['audit_events', 'audit_labels', 'audit_chain', 'audit_seals']

describe('what somebody did to the tables shows in an export', () => {
  before(async () => {
    for (const table of tables) await t.ownerSql(`create table kept_${table} as table ${table}`)
  })
  after(async () => {
    for (const table of tables) await t.ownerSql(`drop table kept_${table}`)
  })

  /** Does it, verifies, and puts everything back. */
  async function afterTampering(...statements: string[]): Promise<string[]> {
    try {
      for (const statement of statements) await t.ownerSql(statement)
      return await faultsOf(await exported())
    } finally {
      for (const table of tables)
        await t.asOwner(async client => {
          await client.query(`begin; set local session_replication_role = replica`)
          await client.query(`delete from ${table}; insert into ${table} select * from kept_${table}; commit`)
        })
    }
  }

  const at = async (position: number) => (await chain()).find(link => link.position === position)!.event_id

  test('an event that was edited is named', async () => {
    const id = await at(4)
    const faults = await afterTampering(`update audit_events set after = '{"currency":"XXX"}' where id = '${id}'`)
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.match(faults[0]!, new RegExp(`event 4 \\(${id}\\) was changed`))
  })

  test('a name that was edited is named with its event', async () => {
    const id = await at(5)
    const faults = await afterTampering(
      `update audit_labels set label = '192.0.2.1' where event_id = '${id}' and field = '/context/ip'`,
    )
    assert.deepEqual(faults, [`${id} was changed: /context/ip is not what was sealed`])
  })

  test('an event that was deleted is named by its place and its neighbours', async () => {
    const [before, id, behind] = [await at(4), await at(5), await at(6)]
    const expected = `event 5 is missing between event 4 (${before}) and event 6 (${behind})`
    assert.deepEqual(await afterTampering(`delete from audit_events where id = '${id}'`), [expected])
    const both = await afterTampering(
      `delete from audit_events where id = '${id}'`,
      `delete from audit_chain where event_id = '${id}'`,
    )
    assert.deepEqual(both, [expected])
  })

  test('events that changed places are named', async () => {
    const [one, other] = [await at(2), await at(3)]
    const faults = await afterTampering(
      `update audit_chain set event_id = case event_id when '${one}' then '${other}' || 'x' else '${one}' end
       where event_id in ('${one}', '${other}')`,
      `update audit_chain set event_id = '${other}' where event_id = '${other}x'`,
    )
    assert.equal(faults.length, 2, faults.join('\n'))
    assert.match(faults[0]!, new RegExp(`event 2 \\(${other}\\) was changed`))
    assert.match(faults[1]!, new RegExp(`event 3 \\(${one}\\) was changed`))
  })

  test('the end that was cut off is named, and so are seals that were cut out', async () => {
    const last = await at(7)
    const faults = await afterTampering(
      'delete from audit_events e using audit_chain c where c.event_id = e.id and c.position > 7',
      'delete from audit_chain where position > 7',
    )
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.match(faults[0]!, new RegExp(`events 8 to \\d+ are missing behind event 7 \\(${last}\\): the seal ase_`))
    const first = await afterTampering('delete from audit_seals where from_position = 1')
    assert.match(first.join('\n'), /does not follow the seal before it, which ends at 0/)
  })

  test('the beginning that was cut off is named', async () => {
    const faults = await afterTampering(
      'delete from audit_events e using audit_chain c where c.event_id = e.id and c.position < 3',
      'delete from audit_chain where position < 3',
    )
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.match(faults[0]!, /events 1 to 2 are missing between position 0 and event 3/)
  })

  test('history that was rewritten with all its hashes does not fit its seal', async () => {
    const { linkOf, chainStart } = await import('../../kernel/audit/chain.ts')
    const lines = (await exported()).map(line => JSON.parse(line))
    let hash = chainStart
    for (const line of lines.filter(({ kind, position }) => kind === 'event' && position <= 7)) {
      line.event.outcome = 'failed'
      hash = linkOf(hash, line.event)
      line.hash = hash
    }
    const faults = await faultsOf(lines.map(line => JSON.stringify(line)))
    assert.match(faults.join('\n'), /events 1 to 7 were rewritten, hashes and all/)
  })
})

describe('what somebody did to the file shows', () => {
  test('lines that were cut out, moved, doubled or cut off', async () => {
    const lines = await exported()
    const without = (place: number) => lines.toSpliced(place, 1)
    assert.match((await faultsOf(without(3))).join(), /event 3 is missing between/)
    assert.match((await faultsOf(lines.toSpliced(3, 2, lines[4]!, lines[3]!))).join(), /moved or put in twice/)
    assert.match((await faultsOf(lines.toSpliced(3, 0, lines[2]!))).join(), /moved or put in twice/)
    assert.match((await faultsOf(lines.slice(0, -1))).join(), /the file is cut off behind/)
    assert.match((await faultsOf(lines.slice(0, -4))).join(), /the file is cut off behind/)
    assert.match((await faultsOf([...lines, lines[2]!])).join(), /stands behind the end/)
    assert.match((await faultsOf(lines.slice(1))).join(), /stands before the head/)
    assert.match((await faultsOf(['nonsense'])).join(), /is no line of an export/)
  })

  test('a seal by another key', async () => {
    const lines = await exported()
    const { newSigningJwk, signingKeyFrom } = await import('../../kernel/access/tokens.ts')
    const { publicJwk } = await signingKeyFrom(await newSigningJwk('other'))
    const { faults } = await verifyExport(each(lines), [publicJwk])
    assert.equal(faults.length, 3)
    for (const { what } of faults) assert.match(what, /its signature does not fit/)
  })

  test('a filtered file says which of its events was changed, and does not claim to be whole', async () => {
    const lines = await exported('?action=organization.updated')
    const verdict = await verdictOf(lines)
    assert.deepEqual([verdict.faults, verdict.complete], [[], false])
    const edited = lines.map((line, index) =>
      index === 3 ? line.replace('"outcome":"ok"', '"outcome":"failed"') : line,
    )
    assert.match((await faultsOf(edited)).join(), /event \d+ \(aud_\w+\) was changed/)
    assert.match((await faultsOf(lines.toSpliced(3, 1))).join(), /the file is not as it was exported/)
  })
})

test('the command says it with its exit code', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-audit-'))
  try {
    const [file, keys] = [join(folder, 'audit.ndjson'), join(folder, 'keys.json')]
    const lines = await exported()
    await writeFile(keys, JSON.stringify({ keys: jwks() }))
    const run = async (...args: string[]) => {
      const printed: string[] = []
      return { code: await auditCommand(args, line => printed.push(line)), text: printed.join('\n') }
    }
    await writeFile(file, lines.join('\n'))
    const good = await run('verify', file, '--keys', keys)
    assert.deepEqual([good.code, /^as sealed: \d+ events, 2 seals/.test(good.text)], [0, true], good.text)
    assert.match((await run('verify', file)).text, /signed by keys named in the file: [\w-]{43}/)
    await writeFile(file, lines.toSpliced(4, 1).join('\n'))
    const bad = await run('verify', file, '--keys', keys)
    assert.equal(bad.code, 1)
    assert.match(bad.text, /^NOT AS SEALED[\s\S]*line 5: event 4 is missing/)
    assert.equal((await run('verify', join(folder, 'nothing'))).code, 2)
    assert.equal((await run('look')).code, 2)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('events that commit late are in the next seal', async () => {
  const id = 'aud_00000000000000000000000001'
  await t.asOwner(client => client.query('begin'))
  await t.ownerSql(
    `insert into audit_events (organization_id, id, action, actor_type, outcome, target_types, target_ids, context, digests)
     values ($1, $2, 'late.committed', 'system', 'ok', '{}', '{}', '{}', '{}')`,
    [t.main.organizationId, id],
  )
  await change(2)
  await seal()
  await t.asOwner(client => client.query('commit'))
  await seal()
  assert.equal((await chain()).at(-1)!.event_id, id)
  assert.deepEqual(await faultsOf(await exported()), [])
})

test('a process that dies while it seals leaves all to the next', async () => {
  await change(3)
  const before = await chain()
  await t.ownerSql(`alter table audit_seals add constraint dies check (from_position <= ${before.length}) not valid`)
  await seal()
  assert.deepEqual(await chain(), before)
  await t.ownerSql('alter table audit_seals drop constraint dies')
  await seal()
  assert.ok((await chain()).length >= before.length + 3)
  assert.deepEqual(await faultsOf(await exported()), [])
})

test('two nodes that write and seal at once give every event one place', async () => {
  const second = await t.secondApp()
  const write = async (call: TestApp['call']) => {
    for (let round = 0; round < 15; round++)
      await call('PATCH', '/v2/organization', { as: as(), body: { currency: currencies[round % 3] } })
  }
  let isOver = false
  const sealing = [t.app, second.app].map(async app => {
    while (!isOver) await seal(app)
  })
  await Promise.all([write(t.call), write(second.call), write(t.call)])
  isOver = true
  await Promise.all(sealing)
  await seal()
  const links = await chain()
  assert.deepEqual(
    links.map(({ position }) => position),
    links.map((_, index) => index + 1),
  )
  const [{ count }] = (await t.ownerSql<{ count: number }>(
    'select count(*)::int as count from audit_events where organization_id = $1',
    [t.main.organizationId],
  )) as [{ count: number }]
  assert.equal(links.length, count)
  assert.deepEqual(await faultsOf(await exported()), [])
})

test('CSV is safe for spreadsheets, and OCSF names classes', async () => {
  const headers = { 'user-agent': '=cmd()' }
  await t.call('PATCH', '/v2/organization', { as: as(), body: { currency: 'EUR' }, headers })
  const [head, first] = await exported('?format=csv&action=organization.updated')
  assert.match(head!, /^at,action,outcome/)
  assert.match(first!, /,'=cmd\(\),/)
  const ocsf = JSON.parse((await exported('?format=ocsf&action=organization.updated'))[0]!)
  assert.deepEqual([ocsf.class_uid, ocsf.activity_id, ocsf.type_uid, ocsf.category_uid], [3004, 3, 300_403, 3])
})

test('an export is itself an event', async () => {
  await exported('?format=csv')
  const { json } = await t.call('GET', '/v2/audit-events?action=audit_log.exported', { as: as() })
  assert.equal(json.data[0].after.format, 'csv')
})

test('erased names are gone, and the chain is whole', async () => {
  const { id, email } = t.main.users['Sales Manager']
  const own = t.main.tokens['Sales Manager']
  await t.call('GET', '/v2/webhooks?limit=0', { as: own, ip: '203.0.113.77' })
  await t.call('POST', '/v2/webhooks', { as: own, body: { url: 'https://example.com/' }, ip: '203.0.113.77' })
  const next = 'someone.else@example.com'
  await t.call('PATCH', `/v1/api/users/${id}`, { as: as(), body: { email: next }, ip: '203.0.113.78' })
  await t.app.flush()
  await seal()
  const names = async () =>
    t.ownerSql<{ label: string }>('select label from audit_labels where label = any ($1)', [
      [email, next, '203.0.113.77', '203.0.113.78'],
    ])
  assert.ok((await names()).length >= 4)
  const body = { userId: id, reason: 'asked for by letter' }
  const answer = await t.call('POST', '/v2/audit-events/erasures', { as: as(), body })
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.json.data.erased >= 4)
  const left = (await names()).map(({ label }) => label)
  assert.deepEqual(left, ['203.0.113.78'], 'where the Admin asked from stays')
  await seal()
  const verdict = await verdictOf(await exported())
  assert.deepEqual(verdict.faults, [])
  assert.ok(verdict.erased >= 4)
  const { json } = await t.call('GET', `/v2/audit-events?target=user:${id}&action=user.updated`, { as: as() })
  assert.equal(json.data[0].after.email, undefined)
  const erasure = await t.call('GET', '/v2/audit-events?action=audit_log.names_erased', { as: as() })
  assert.equal(erasure.json.data[0].context.more.reason, 'asked for by letter')
})

describe('retention', () => {
  const run = () => expireAuditEvents(t.app.services).run()

  test('deletes whole seals that are old enough, says so, and the rest verifies', async () => {
    await seal()
    const before = await chain()
    const [first, second] = await t.ownerSql<{ id: string; to_position: number }>(
      'select id, to_position from audit_seals where organization_id = $1 order by to_position limit 2',
      [t.main.organizationId],
    )
    await run()
    assert.deepEqual(await chain(), before, 'nothing is old')
    await t.ownerSql(`update audit_seals set at = at - interval '500 days' where id in ($1, $2)`, [
      first!.id,
      second!.id,
    ])
    await t.call('PATCH', '/v2/audit-events/policy', { as: as(), body: { legalHold: true } })
    await run()
    assert.deepEqual(await chain(), before, 'a legal hold stops it')
    await t.call('PATCH', '/v2/audit-events/policy', { as: as(), body: { legalHold: false, retentionDays: 600 } })
    await run()
    assert.deepEqual(await chain(), before, 'the policy keeps it longer')
    await t.call('PATCH', '/v2/audit-events/policy', { as: as(), body: { retentionDays: null } })
    const holds = '/v2/privacy/holds'
    const held = await t.call('POST', holds, { as: as(), body: { reason: 'Lawsuit 3 O 123/26.' } })
    assert.equal(held.status, 201, held.text)
    const { db, auditDays } = t.app.services
    // One that came after it was looked up whose events are old.
    assert.equal(await db.inTenant(auditScope(t.main.organizationId), tx => expireSeal(tx, auditDays)), undefined)
    await t.call('POST', `${holds}/${held.json.data.holdId}/release`, { as: as() })
    await run()
    const { to_position } = second!
    assert.deepEqual(await chain(), before.slice(to_position))
    const { json } = await t.call('GET', '/v2/audit-events?action=audit_log.expired', { as: as() })
    assert.deepEqual(json.data.length, 1)
    assert.deepEqual(json.data[0].context.more, { events: to_position, upTo: to_position })
    assert.equal(json.data[0].actor.type, 'system')
    const rows = await t.ownerSql<{ count: number }>(
      'select count(*)::int as count from audit_labels l where not exists (select from audit_events e where e.id = l.event_id)',
    )
    assert.equal(rows[0]!.count, 0)
    await seal()
    const verdict = await verdictOf(await exported())
    assert.deepEqual(verdict.faults, [])
    assert.deepEqual(await faultsOf(await exported('?action=organization.updated')), [])
  })

  test('only an Admin decides, in live mode', async () => {
    const body = { retentionDays: 90 }
    for (const [who, code] of [
      [t.main.tokens['Sales Manager'], 'insufficient_role'],
      [t.main.testKey, 'live_mode_required'],
    ]) {
      const answer = await t.call('PATCH', '/v2/audit-events/policy', { as: who, body })
      assert.equal(answer.json.error.code, code, answer.text)
    }
  })
})
