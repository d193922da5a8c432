// How the contract test meets the request log.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

/** A request that is in the log. */
async function loggedRequest(t: TestApp, as: string) {
  const answer = await t.call('GET', '/v1/api/auth/me', { as })
  await t.app.flush()
  return { params: { requestId: answer.headers['x-request-id'] as string } }
}

export const contract: ModuleContract = {
  'requests.get': {
    prepare: t => loggedRequest(t, t.main.tokens.Admin),
    problems: { not_found: async () => ({ params: { requestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
    foreign: t => loggedRequest(t, t.other.tokens.Admin),
  },
}
