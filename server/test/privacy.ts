// Requests of persons as tests ask for them and have them worked on, without the loops of a server: piece by piece, and as often as it takes.
// A request that waits is due at once.
import { answerPrivacyRequests } from '../src/modules/privacy/requests/jobs.ts'
import { storeRecordings } from '../src/modules/voice/recordings/jobs.ts'
import type { TestApp } from './harness.ts'

export const askPrivacy = (t: TestApp, body: object, as = t.main.tokens.Admin) =>
  t.call('POST', '/v2/privacy/requests', { as, body: { reason: 'Asked for by letter.', ...body } })

export const seePrivacy = async (t: TestApp, id: string) =>
  (await t.call('GET', `/v2/privacy/requests/${id}`, { as: t.main.tokens.Admin })).json.data

/** One claim of the queue; it stops after so many pieces, as a process that is ended does. `services` may be such as fail. */
export async function workPrivacy(
  t: TestApp,
  pieces = Number.POSITIVE_INFINITY,
  services = t.app.services,
): Promise<void> {
  await t.ownerSql(
    "update privacy_requests set due_at = now(), lease_until = now() where state in ('queued', 'running')",
  )
  const queue = answerPrivacyRequests()(services)
  let left = pieces
  await queue.work(await queue.claim('lse_1', 1), 'lse_1', () => left-- <= 0)
  const sounds = storeRecordings()(t.app.services)
  for (let rows = await sounds.claim('lse_2', 50); rows.length > 0; rows = await sounds.claim('lse_2', 50))
    await sounds.work(rows, 'lse_2', () => false)
}

/** Works on a request until it ends, but not for ever; answers how it stands then. */
export async function finishPrivacy(t: TestApp, id: string) {
  for (let round = 0; round < 20; round++) {
    await workPrivacy(t)
    const request = await seePrivacy(t, id)
    if (request.finishedAt !== null) return request
  }
  return seePrivacy(t, id)
}
