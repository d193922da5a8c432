// Organizations as a whole: suspended, closing, erased, exported; what is still done then, and what is not.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { operatorToken } from '../../../../test/operators.ts'
import { catalog } from '../../../catalog.ts'
import { fullPath } from '../../../kernel/endpoint/endpoint.ts'
import { closeOrganizations } from './jobs.ts'

let t: TestApp
let operator: string
before(async () => {
  t = await startTestApp({ env: { TANDEM_CLOSING_DAYS: '30' } })
  operator = await operatorToken(t)
})
after(() => t?.close())

const act = (event: string, id: number, reason = 'An invoice is not paid.') =>
  t.call('POST', `/v2/operator/organizations/${id}/${event}`, { as: operator, body: { reason } })
const sms = (as: string) =>
  t.call('POST', '/v2/messages/sms', { as, body: { from: '+15550100001', to: '+15005550006', body: 'hello' } })
/** What a worker does once, so many days later. */
async function workClosings(days = 0): Promise<void> {
  const clock = { now: () => t.clock.now() + days * 86_400_000 }
  const queue = closeOrganizations({ ...t.app.services, clock })
  await queue.work(await queue.claim('lse_1', 100), 'lse_1', () => false)
}

describe('suspended', () => {
  test('nothing is done but what concerns the own account, the audit log and exports', async () => {
    const { organizationId: id } = t.other
    assert.equal((await act('suspend', id)).status, 200)
    for (const definition of catalog) {
      if (definition.permission === 'public') continue
      const url = fullPath(definition).replaceAll(/\{\w+\}/g, '1')
      const answer = await t.call(definition.method, url, {
        as: t.other.tokens.Admin,
        body: definition.method === 'GET' ? undefined : {},
      })
      const code = answer.json?.error?.code ?? answer.json?.code
      if (definition.whileSuspended === true) assert.notEqual(code, 'organization_suspended', definition.id)
      else assert.equal(code, 'organization_suspended', `${definition.id}: ${answer.text.slice(0, 200)}`)
      if (definition.id === 'auth.logout') await t.sql('update sessions set revoked_at = null')
      if (definition.id === 'auth.logout') t.app.services.authenticator.forget()
    }
    await t.ownerSql('delete from organization_exports')
    const { json } = await t.call('GET', '/v2/organization', { as: t.other.tokens.Admin })
    assert.deepEqual([json.data.state, json.data.stateReason], ['suspended', 'An invoice is not paid.'])
    assert.equal((await sms(t.other.liveKey)).json.error.code, 'organization_suspended')
    assert.equal((await act('resume', id)).status, 200)
    assert.equal((await sms(t.other.liveKey)).status, 200)
  })

  test('it is felt on another node once that looks, and a stream ends', async () => {
    const node = await t.secondApp()
    const get = () => node.call('GET', '/v1/api/leads', { as: t.other.liveKey })
    assert.equal((await get()).status, 200)
    await act('suspend', t.other.organizationId)
    await node.app.services.authenticator.poll()
    assert.equal((await get()).json.code, 'organization_suspended')
    await act('resume', t.other.organizationId)
    await node.app.services.authenticator.poll()
    assert.equal((await get()).status, 200)
  })

  test('what waits is sent when it ends, and not before', async () => {
    const sent = await sms(t.other.liveKey)
    const mail = { to: [{ address: 'ada@example.com' }], subject: 'Later', text: 'Hello.' }
    assert.equal((await t.call('POST', '/v2/mails', { as: t.other.liveKey, body: mail })).status, 201)
    await act('suspend', t.other.organizationId)
    await t.app.startWork()
    // The mail that says so goes out; after it, the one that does not has had its turn.
    await eventually('the notice', async () => {
      const rows = await t.ownerSql("select from mails where template = 'organization_suspended' and state = 'sent'")
      return rows.length > 0 || undefined
    }).catch(async error => {
      const mails = await t.ownerSql(
        'select m.id, m.template, m.state, m.code, m.created_at, j.due_at, j.lease_token from mails m left join mail_jobs j on j.mail_id = m.id',
      )
      throw new Error(`${error.message}: ${JSON.stringify(mails)}`)
    })
    const held = await eventually('the text to be held', async () => {
      const [row] = await t.ownerSql<{ due: string }>(
        "select due_at::text as due from message_jobs where $1 = any (message_ids) and due_at = 'infinity'",
        [sent.json.messageId],
      )
      return row
    })
    assert.equal(held.due, 'infinity')
    const [waiting] = await t.ownerSql<{ state: string }>("select state from mails where subject = 'Later'")
    assert.equal(waiting?.state, 'queued')
    await act('resume', t.other.organizationId)
    await eventually('the text and the mail to leave', async () => {
      const [row] = await t.ownerSql<{ status: string; state: string }>(
        "select m.status, l.state from messages m, mails l where m.id = $1 and l.subject = 'Later'",
        [sent.json.messageId],
      )
      return (row?.status !== 'queued' && row?.state === 'sent') || undefined
    })
  })
})

describe('closing', () => {
  const close = (name: string) => t.call('POST', '/v2/organization/close', { as: t.main.tokens.Admin, body: { name } })

  test('by its owner alone, who types its name; it can be read, and taken back', async () => {
    assert.equal((await close('Another')).json.error.code, 'validation_failed')
    const answer = await close('Example Company')
    assert.equal(answer.status, 200, answer.text)
    const days = (Date.parse(answer.json.data.closesAt) - t.clock.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, `${days}`)
    assert.equal((await t.call('GET', '/v1/api/leads', { as: t.main.liveKey })).status, 200)
    const lead = { name: 'Ada', email: 'ada@example.com' }
    assert.equal(
      (await t.call('POST', '/v1/api/leads', { as: t.main.liveKey, body: lead })).json.code,
      'organization_closing',
    )
    assert.equal((await sms(t.main.liveKey)).json.error.code, 'organization_closing')
    const back = await t.call('POST', '/v2/organization/reopen', { as: t.main.tokens.Admin })
    assert.equal(back.status, 200, back.text)
    assert.equal((await sms(t.main.liveKey)).status, 200)
  })

  test('what an operator is closing only an operator takes back', async () => {
    const { organizationId: id } = t.main
    assert.equal((await act('close', id)).status, 200)
    const back = await t.call('POST', '/v2/organization/reopen', { as: t.main.tokens.Admin })
    assert.equal(back.json.error.code, 'closed_by_operator')
    assert.equal((await act('reopen', id)).json.data.state, 'active')
    assert.equal((await act('reopen', id)).json.error.code, 'organization_state_conflict')
  })

  test('owner and Admins are written to when it begins, and seven days and one day before the end, once each', async () => {
    assert.equal((await close('Example Company')).status, 200)
    const count = async () => {
      const [row] = await t.ownerSql<{ n: string }>(
        "select count(*) as n from mails where template = 'organization_closing'",
      )
      return Number(row?.n)
    }
    const begun = await count()
    assert.ok(begun > 0)
    for (const [days, more] of [
      [22, 0],
      [23.5, 1],
      [27, 1],
      [29.1, 2],
      [29.5, 2],
    ] as const) {
      await workClosings(days)
      assert.equal(await count(), begun + more, `after ${days} days`)
    }
    assert.equal((await act('reopen', t.main.organizationId)).status, 200)
  })
})

describe('the archive', () => {
  test('holds every row of both modes and no secret, and can be had while suspended', async () => {
    const lead = { name: 'Grace Hopper', email: 'grace@navy.example' }
    const made = await t.call('POST', '/v1/api/leads', { as: t.other.liveKey, body: lead })
    assert.equal(made.status, 201, made.text)
    await t.call('POST', '/v1/api/leads', { as: t.main.liveKey, body: { ...lead, name: 'Not yours' } })
    await act('suspend', t.other.organizationId)
    const as = t.other.tokens.Admin
    const login = await t.call('POST', '/v2/organization/exports', { as })
    assert.equal(login.status, 201, login.text)
    const ready = await eventually('the archive', async () => {
      const { json } = await t.call('GET', '/v2/organization/exports', { as })
      return json.data.exports.find((one: { state: string }) => one.state === 'ready')
    })
    const response = await t.app.http.inject({
      url: `/v2/organization/exports/${ready.exportId}/file`,
      headers: { authorization: `Bearer ${as}` },
    })
    assert.equal(response.statusCode, 200)
    const tar = gunzipSync(response.rawPayload).toString('latin1')
    assert.match(tar, /live\/leads-00001\.ndjson/)
    assert.match(tar, /grace@navy\.example/)
    assert.ok(!tar.includes('Not yours'), 'a row of another organization is in the archive')
    const [{ hash }] = (await t.ownerSql<{ hash: string }>(
      "select encode(hash, 'hex') as hash from api_keys where organization_id = $1 limit 1",
      [t.other.organizationId],
    )) as [{ hash: string }]
    assert.ok(!tar.includes(hash), 'the hash of a key is in the archive')
    assert.equal((await act('resume', t.other.organizationId)).status, 200)
  })
})

describe('closed', () => {
  test('all is erased but what the law asks to keep, whatever it is interrupted by', async () => {
    const { organizationId: id, liveTenantId: tenant, liveKey, tokens } = t.other
    const invoice = {
      customer: { name: 'Grace' },
      lines: [{ description: 'Work', quantity: '1', unit_price: '10.00' }],
    }
    const billed = await t.call('POST', '/v1/api/finance/invoices', { as: liveKey, body: invoice })
    assert.equal(billed.status, 201, billed.text)
    await act('close', id)
    await workClosings(30.5)
    const state = async () =>
      (
        await t.ownerSql<{ state: string; erased_at: string | null }>(
          'select state, erased_at from organizations where id = $1',
          [id],
        )
      )[0]
    assert.equal((await state())?.state, 'closed')
    assert.equal((await t.call('GET', '/v1/api/auth/me', { as: tokens.Admin })).status, 401)
    // One step, then another process goes on.
    await t.app.services.db.work('erase_some', 'select erase_organization($1, false, 3)', [id])
    await eventually('the erasure', async () => {
      await workClosings()
      return (await state())?.erased_at ?? undefined
    })
    const tables = await t.ownerSql<{ name: string; key: string }>(
      `select c.relname as name, a.attname as key from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname in ('tenant_id', 'organization_id')
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity and c.relname <> 'audit_seals'`,
    )
    const tablesLeft = async () => {
      const left: string[] = []
      for (const { name, key } of tables) {
        const own = key === 'organization_id' ? '= $1' : 'in (select id from tenants where organization_id = $1)'
        const [row] = await t.ownerSql<{ n: string }>(`select count(*) as n from ${name} where ${key} ${own}`, [id])
        if (Number(row?.n) > 0) left.push(name)
      }
      return left.sort()
    }
    // What is written late, as the log of requests is, goes with the next rounds.
    await t.ownerSql(
      "insert into request_usage values ($1, date_trunc('hour', now()), 'leads.list', 0, '', '', '2xx', 1, '{}')",
      [tenant],
    )
    const left = await eventually('what was written late to be erased', async () => {
      await workClosings()
      const names = await tablesLeft()
      return names.some(name => name.startsWith('request_')) ? undefined : names
    })
    assert.deepEqual(left, ['invoice_lines', 'invoices', 'number_series', 'tenants'])
    const [kept] = await t.ownerSql<{ n: string }>('select count(*) as n from invoices where tenant_id = $1', [tenant])
    assert.equal(Number(kept?.n), 1)
    const people = await t.ownerSql("select from accounts where email like '%@other.example'")
    assert.equal(people.length, 0)
    assert.ok((await t.ownerSql('select from users where organization_id = $1', [t.main.organizationId])).length > 0)
  })
})
