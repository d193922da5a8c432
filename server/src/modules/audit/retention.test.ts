// Deleting old events of audit logs: an organization where it fails keeps no other from it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { expireAuditEvents } from './retention.ts'

test('the others go on where one fails', async () => {
  const [seen, faults]: [number[], unknown[]] = [[], []]
  const db = {
    work: async () => [{ organization_id: 1 }, { organization_id: 2 }],
    async inTenant({ organizationId }: { organizationId: number }) {
      seen.push(organizationId)
      if (organizationId === 1) throw new Error('canceled by statement_timeout')
      return 0
    },
  }
  const log = { error: ({ organizationId }: { organizationId: number }) => faults.push(organizationId) }
  await expireAuditEvents({ db, log, auditDays: 400 } as unknown as Services).run()
  assert.deepEqual([seen, faults], [[1, 2], [1]])
})
