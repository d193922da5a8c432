// Which notice about a failing webhook is due, as the database counts it: by the hours and attempts of rules.ts and no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newWebhook, scopeOf, startWebhookTest } from '../../../test/webhooks.ts'
import { disableAfterAttempts, fullConcurrency, maxConcurrency, noticeHours } from './rules.ts'
import { finishBatch, type LaneState } from './sender_store.ts'

const { t, receiver } = await startWebhookTest({ sender: false })
const { tenantId } = scopeOf(t.main)

/** Gives back a lane of a receiver that has been failing so long; the notice that is due. */
async function noticeAfter(
  lane: string,
  hours: number,
  { attempts = 1_000, sent = 0, ...state }: Partial<LaneState> & { attempts?: number; sent?: number } = {},
) {
  await t.ownerSql(
    `insert into webhook_lanes (tenant_id, id, lease_token, notices) values ($1, $2, 'lse_1', $3)
     on conflict (tenant_id, id) do update set lease_token = 'lse_1', notices = $3`,
    [tenantId, lane, sent],
  )
  const nowMs = Date.now() + 3_600_000
  const lanes: LaneState[] = [
    {
      tenantId,
      lane,
      token: 'lse_1',
      release: true,
      concurrency: fullConcurrency,
      resumeAtMs: null,
      failures: attempts,
      failingSinceMs: hours === 0 ? null : nowMs - hours * 3_600_000,
      failedAttempts: attempts,
      deliveredAtMs: null,
      lastError: null,
      ...state,
    },
  ]
  const [finished] = await finishBatch(t.app.services.db, { lanes, results: [], done: [], kept: [] }, nowMs)
  assert.equal(finished?.item, 1)
  return finished.notice
}

test('a notice is due when its hours have passed, and once', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin)
  assert.equal(await noticeAfter(webhookId, 0), null)
  assert.equal(await noticeAfter(webhookId, 0.99), null)
  for (const [index, hours] of noticeHours.entries()) {
    assert.equal(await noticeAfter(webhookId, hours + 0.01), index + 1, `${hours} hours`)
    assert.equal(await noticeAfter(webhookId, hours + 0.01, { sent: index + 1 }), null, `${hours} hours, sent`)
  }
})

test('the last, which is the end, takes so many attempts, too', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [end, hours] = [noticeHours.length, noticeHours.at(-1)! + 1]
  assert.equal(await noticeAfter(webhookId, hours, { attempts: disableAfterAttempts - 1 }), end - 1)
  assert.equal(await noticeAfter(webhookId, hours, { attempts: disableAfterAttempts - 1, sent: end - 1 }), null)
  assert.equal(await noticeAfter(webhookId, hours, { attempts: disableAfterAttempts, sent: end - 1 }), end)
})

test('receivers of callbacks have no notices; nothing is kept of one that is well and bears all again', async () => {
  const rows = () => t.ownerSql("select id from webhook_lanes where id like 'cb:%'")
  assert.equal(await noticeAfter('cb:https://a.example', 1_000), null)
  assert.equal((await rows()).length, 1)
  await noticeAfter('cb:https://a.example', 0, { concurrency: fullConcurrency - 1 })
  assert.equal((await rows()).length, 1)
  await noticeAfter('cb:https://a.example', 0)
  assert.deepEqual(await rows(), [])
  assert.equal(await noticeAfter('cb:https://a.example', 1_000), null)
  await noticeAfter('cb:https://a.example', 0, { concurrency: maxConcurrency })
  assert.deepEqual(await rows(), [], 'nor of one that bears more')
})
