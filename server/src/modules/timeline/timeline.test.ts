// The timeline of a lead: everything exchanged with its number and everything that was changed of it, each once and in
// order through any pages, for those who may see it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeRecording } from '../../../test/voice/recordings.ts'
import { newId } from '../../kernel/values/ids.ts'
import { leads } from '../crm/leads/noun.ts'
import { entryOfChange, merged } from './entries.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Entry = {
  id: string
  kind: string
  at: string
  direction: string | null
  title: string
  body: string | null
  status: string | null
  code: string | null
  duration_seconds: number | null
  changes: { field: string; from: string | null; to: string | null }[]
  recordings: { recording_id: string; state: string; duration_seconds: number | null; code: string | null }[]
  user_id: number | null
  resource_id: string
}

const admin = () => t.main.tokens.Admin
let numbers = 0
const freshPhone = () => `+1202555${String(1_000 + numbers++)}`

async function newLead(body: object = {}, as = admin()): Promise<number> {
  const answer = await t.call('POST', '/v1/api/leads', { as, body: { name: 'Ada', phone: freshPhone(), ...body } })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.lead.id
}

const change = async (id: number, body: object, as = admin()) => {
  const answer = await t.call('PATCH', `/v1/api/leads/${id}`, { as, body })
  assert.equal(answer.status, 200, answer.text)
}

const get = (id: number, query = '', as = admin()) => t.call('GET', `/v1/api/leads/${id}/timeline${query}`, { as })

async function timeline(id: number, query = '', as = admin()): Promise<Entry[]> {
  const answer = await get(id, query, as)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.success, true)
  return answer.json.entries
}

async function text(to: string, body = 'Hello', as = admin()): Promise<string> {
  const answer = await t.call('POST', '/v2/messages/sms', { as, body: { from: '+15005550006', to, body } })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.messageId
}

async function call(to: string, as = admin()): Promise<string> {
  const answer = await t.call('POST', '/v2/voice/calls', { as, body: { from: '+15005550006', to } })
  assert.ok(answer.status < 300, answer.text)
  return answer.json.data.callId
}

/** Something that came in, as its row. */
async function inbound(kind: 'message' | 'call', from: string, tenantId = t.main.liveTenantId): Promise<string> {
  const id = newId(kind === 'message' ? 'msg' : 'call')
  if (kind === 'message')
    await t.ownerSql(
      `insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body,
         encoding, segments, created_at, final_at)
       values ($1, $2, 'inbound', 'received', 'handset', $2, $3, '+15005550006', 'Hi', 'GSM-7', 1, now(), now())`,
      [tenantId, id, from],
    )
  else
    await t.ownerSql(
      `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, changed_at)
       values ($1, $2, 'inbound', $3, '+15005550006', 60, 3600, now())`,
      [tenantId, id, from],
    )
  return id
}

describe('a timeline', () => {
  test('holds messages and calls both ways and what happened to the lead, newest first', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    const ids = [
      await text(phone, 'First'),
      await inbound('message', phone),
      await call(phone),
      await inbound('call', phone),
    ]
    await change(id, { status: 'Contacted' })
    const entries = await timeline(id)
    assert.deepEqual(
      entries.map(entry => [entry.kind, entry.direction, entry.title]),
      [
        ['change', null, 'Status changed from New to Contacted'],
        ['call', 'inbound', `Call from ${phone}`],
        ['call', 'outbound', `Call to ${phone}`],
        ['message', 'inbound', `Text from ${phone}`],
        ['message', 'outbound', `Text to ${phone}`],
        ['change', null, 'Lead created'],
      ],
    )
    assert.deepEqual(
      entries.slice(1, 5).map(entry => [entry.id, entry.resource_id]),
      ids.toReversed().map(one => [one, one]),
    )
    assert.deepEqual([entries[4]!.body, entries[4]!.status], ['First', 'queued'])
    assert.deepEqual([entries[0]!.status, entries[0]!.resource_id], ['Contacted', `lead:${id}`])
    assert.ok(entries.every((entry, n) => n === 0 || entry.at <= entries[n - 1]!.at))
    for (const { at } of entries) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('says what changed, who has it now, and why it was given up', async () => {
    const id = await newLead({ company: 'Old Ltd' })
    await change(id, { company: 'New Ltd', notes: 'Call back' })
    await change(id, { owner_id: t.main.users['Sales Manager'].id })
    await change(id, { owner_id: null })
    await change(id, { status: 'Unqualified', lost_reason: 'No budget' })
    const entries = await timeline(id)
    assert.deepEqual(
      entries.map(entry => entry.title),
      [
        'Status changed from New to Unqualified',
        'Owner taken away',
        'Owner changed',
        'Changed company, notes',
        'Lead created',
      ],
    )
    assert.deepEqual([entries[0]!.body, entries[0]!.status], ['No budget', 'Unqualified'])
    assert.equal(entries[3]!.body, null)
    assert.deepEqual(entries[3]!.changes, [
      { field: 'company', from: 'Old Ltd', to: 'New Ltd' },
      { field: 'notes', from: null, to: 'Call back' },
    ])
  })

  test('a change of status and more at once is named by the status, and shows all that it changed', async () => {
    const id = await newLead()
    await change(id, { status: 'Contacted', company: 'New Ltd' })
    const [first, second] = await timeline(id)
    assert.deepEqual([first!.title, second!.title], ['Status changed from New to Contacted', 'Lead created'])
    const { first_responded_at: responded, ...sent } = Object.fromEntries(
      first!.changes.map(({ field, from, to }) => [field, [from, to]]),
    )
    assert.deepEqual(sent, { company: [null, 'New Ltd'], status: ['New', 'Contacted'] })
    assert.deepEqual(responded, [null, first!.at])
  })

  test('says who did it, and of which leads it took in the names', async () => {
    const [into, other] = [await newLead(), await newLead({ name: 'Ada Byron' })]
    const answer = await t.call('POST', '/v1/api/leads/merge', { as: admin(), body: { into, others: [other] } })
    assert.equal(answer.status, 200, answer.text)
    const [first] = await timeline(into)
    assert.deepEqual([first!.title, first!.status, first!.body], ['Merged with Ada Byron', null, null])
    assert.equal(first!.user_id, t.main.users.Admin.id)
  })

  test('shows recordings with their call: ready, running, failed and deleted ones, and none with another call', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    const recorded = await call(phone)
    const silent = await call(phone)
    const made: string[] = []
    for (const state of ['available', 'recording', 'failed', 'deleted'] as const)
      made.push((await makeRecording(t, { callId: recorded, state })).id)
    const entries = await timeline(id)
    const found = (callId: string) => entries.find(entry => entry.id === callId)?.recordings
    assert.deepEqual(found(recorded), [
      { recording_id: made[0], state: 'available', duration_seconds: 1, code: null },
      { recording_id: made[1], state: 'recording', duration_seconds: null, code: null },
      { recording_id: made[2], state: 'failed', duration_seconds: null, code: 'recording_write_failed' },
      { recording_id: made[3], state: 'deleted', duration_seconds: 1, code: null },
    ])
    assert.deepEqual(found(silent), [])
    const created = entries.find(entry => entry.title === 'Lead created')
    assert.deepEqual(created?.recordings, [], 'a change of the lead has none')
  })

  test('of two leads with one number shows both what was exchanged; each its own changes', async () => {
    const phone = freshPhone()
    const [one, two] = [await newLead({ phone }), await newLead({ phone })]
    const message = await text(phone)
    for (const id of [one, two]) {
      const entries = await timeline(id)
      assert.deepEqual(
        entries.map(entry => entry.kind),
        ['message', 'change'],
      )
      assert.deepEqual([entries[0]!.id, entries[1]!.resource_id], [message, `lead:${id}`])
    }
  })

  test('follows the number the lead has now', async () => {
    const [before, after] = [freshPhone(), freshPhone()]
    const id = await newLead({ phone: before })
    const [old, later] = [await text(before), await text(after)]
    const messages = async () => (await timeline(id)).filter(entry => entry.kind === 'message').map(entry => entry.id)
    assert.deepEqual(await messages(), [old])
    await change(id, { phone: after })
    assert.deepEqual(await messages(), [later])
    await change(id, { phone: null, email: 'ada@example.com' })
    assert.deepEqual(await messages(), [])
  })

  test('records of other nouns with its number, and leads whose number begins with it, have no part in it', async () => {
    const id = await newLead()
    for (const recordId of [String(id), `${id}0`, `lead:${id}0`, `deal:${id}`])
      await t.ownerSql(
        `insert into changes (tenant_id, record_id, version, noun, at, user_id, source, difference)
         values ($1, $2, 2, 'lead', now(), $3, 'request', '{"company":[null,"Theirs"]}')`,
        [t.main.liveTenantId, recordId, t.main.users.Admin.id],
      )
    assert.deepEqual(
      (await timeline(id)).map(entry => entry.title),
      ['Lead created'],
    )
  })

  test('shows the text of a message no more when it was taken away, and what somebody wrote to themselves once', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await inbound('message', phone)
    await t.ownerSql(
      "update messages set to_address = from_address, body = '', redacted_at = now() where from_address = $1",
      [phone],
    )
    const entries = await timeline(id)
    assert.deepEqual(
      entries.map(entry => [entry.kind, entry.body]),
      [
        ['message', null],
        ['change', null],
      ],
    )
  })

  test('goes on through pages of any size, each entry once, also among entries of one moment', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    for (let n = 0; n < 6; n++) {
      await text(phone)
      await inbound('message', phone)
      await call(phone)
      await inbound('call', phone)
      await change(id, { company: `Company ${n}` })
    }
    // Half of it at one moment, with microseconds where a table has them.
    const moment = new Date(Date.now() - 60_000).toISOString()
    await t.ownerSql('update messages set created_at = $2 where to_address = $1', [phone, moment])
    await t.ownerSql('update calls set created_at = $2 where to_number = $1', [phone, moment.replace('Z', '456Z')])
    await t.ownerSql('update changes set at = $2 where record_id = $1 and version between 2 and 5', [
      `lead:${id}`,
      moment,
    ])
    const all = (await timeline(id, '?limit=100')).map(entry => entry.id)
    assert.equal(all.length, 31)
    assert.equal(new Set(all).size, 31)
    for (const limit of [1, 2, 7, 30, 31]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const { json } = await get(id, `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
        seen.push(...json.entries.map((entry: Entry) => entry.id))
        cursor = json.pagination.nextCursor
        assert.ok(json.entries.length === limit || cursor === null)
      } while (cursor !== null)
      assert.deepEqual(seen, all, `by ${limit}`)
    }
  })

  test('takes no cursor of another lead, nor of the lead with another number', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await text(phone)
    const { json } = await get(id, '?limit=1')
    const { nextCursor } = json.pagination
    assert.equal((await get(id, `?limit=1&cursor=${nextCursor}`)).status, 200)
    const other = await newLead({ phone })
    for (const answer of [
      await get(other, `?cursor=${nextCursor}`),
      await change(id, { phone: freshPhone() }).then(() => get(id, `?cursor=${nextCursor}`)),
    ])
      assert.deepEqual([answer.status, answer.json.code], [400, 'invalid_cursor'])
  })
})

describe('who sees it', () => {
  test('a Sales Executive: of own and unassigned leads', async () => {
    const executive = t.main.tokens['Sales Executive']
    const [unassigned, own, foreign] = [await newLead(), await newLead({}, executive), await newLead()]
    await change(foreign, { owner_id: t.main.users['Sales Manager'].id })
    assert.equal((await get(unassigned, '', executive)).status, 200)
    assert.equal((await get(own, '', executive)).status, 200)
    assert.equal((await get(foreign, '', executive)).status, 404)
  })

  test('nobody of another organization, in the other mode, or of a lead in the trash', async () => {
    const id = await newLead()
    for (const as of [t.other.tokens.Admin, t.other.liveKey, t.main.testKey])
      assert.equal((await get(id, '', as)).status, 404)
    await t.call('DELETE', `/v1/api/leads/${id}`, { as: admin() })
    assert.equal((await get(id)).status, 404)
    await t.call('POST', `/v1/api/leads/${id}/restore`, { as: admin() })
    assert.deepEqual(
      (await timeline(id)).map(entry => entry.title),
      ['Restored from the trash', 'Moved to the trash', 'Lead created'],
    )
  })

  test('messages and calls of the same number in other tenants have no part in it', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await text(phone, 'theirs', t.other.liveKey)
    await text(phone, 'test', t.main.testKey)
    await call(phone, t.other.liveKey)
    await inbound('call', phone, t.main.testTenantId)
    assert.deepEqual(
      (await timeline(id)).map(entry => entry.kind),
      ['change'],
    )
  })

  test('anyone who may not read messages or calls sees the rest, and what is left out is named', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await text(phone)
    await makeRecording(t, { callId: await call(phone) })
    const keyOf = async (scopes: string[]): Promise<string> => {
      const answer = await t.call('POST', '/v2/auth/api-keys', {
        as: admin(),
        body: { name: scopes.join(' '), mode: 'live', scopes },
      })
      assert.equal(answer.status, 201, answer.text)
      return answer.json.data.secret
    }
    for (const [scopes, kinds, left] of [
      [['leads:read'], ['change'], ['messages:read', 'calls:read', 'recordings:read']],
      [
        ['leads:read', 'messages:read'],
        ['message', 'change'],
        ['calls:read', 'recordings:read'],
      ],
      [
        ['leads:read', 'calls:read'],
        ['call', 'change'],
        ['messages:read', 'recordings:read'],
      ],
      [['leads:read', 'calls:read', 'messages:read'], ['call', 'message', 'change'], ['recordings:read']],
      [['leads:read', 'calls:read', 'messages:read', 'recordings:read'], ['call', 'message', 'change'], []],
    ] as const) {
      const { json } = await get(
        id,
        '',
        await keyOf([...scopes, 'mail:read', 'notes:read', 'tasks:read', 'attachments:read']),
      )
      assert.deepEqual(
        json.entries.map((entry: Entry) => entry.kind),
        kinds,
      )
      assert.equal(
        json.entries.flatMap((entry: Entry) => entry.recordings).length,
        (scopes as readonly string[]).includes('recordings:read') ? 1 : 0,
      )
      assert.deepEqual(
        json.left_out.map((item: { permission: string }) => item.permission),
        left,
      )
    }
  })
})

test('titles name fields as people do, and those that a noun has no more by their names', () => {
  const titleOf = (difference: Record<string, [unknown, unknown]>, source = 'request') =>
    entryOfChange(
      { id: 'lead:1.000000002', at: '2026-01-01T00:00:00.000Z', version: 2, user_id: 1, source, difference },
      leads.spec as never,
      'lead:1',
    ).title
  for (const [difference, title] of [
    [{ owner_id: [null, 1] }, 'Owner changed'],
    [{ owner_id: [1, null] }, 'Owner taken away'],
    [{ owner_id: [null, 1], email: [null, 'a@example.com'] }, 'Changed owner, e-mail'],
    [{ owner_id: [null, 1], status: ['New', 'Contacted'] }, 'Status changed from New to Contacted'],
    [{ shoe_size: [41, 42] }, 'Changed shoe size'],
  ] as [Record<string, [unknown, unknown]>, string][])
    assert.equal(titleOf(difference), title)
  assert.equal(titleOf({ company_id: ['cmp_1', null] }, 'purge'), 'What it named is removed for good: company record')
  assert.deepEqual(merged([[], []]), [])
})
