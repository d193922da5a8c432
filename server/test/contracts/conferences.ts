// How the contract test meets the endpoints of conferences.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'
import { conferenceWith } from '../voice/conferences.ts'

const one = (who: (t: TestApp) => TestOrganization) => async (t: TestApp) => {
  const { conferenceId } = await conferenceWith(t, who(t))
  return { params: { conferenceId } }
}
const participant = (who: (t: TestApp) => TestOrganization) => async (t: TestApp) => {
  const { conferenceId, callId } = await conferenceWith(t, who(t))
  return { params: { conferenceId, callId } }
}
const nobody = async () => ({ params: { conferenceId: newId('conf'), callId: newId('call') } })

export const contract: ModuleContract = {
  'conferences.list': {},
  'conferences.get': {
    prepare: one(t => t.main),
    problems: { not_found: async () => ({ params: { conferenceId: newId('conf') } }) },
    foreign: one(t => t.other),
  },
  'conferences.update_participant': {
    prepare: participant(t => t.main),
    problems: {
      not_found: nobody,
      async participant_left(t) {
        const { scope, records, conferenceId, callId } = await conferenceWith(t)
        const left = { type: 'left', atMs: t.clock.now(), callId, reason: 'key', callbackUrl: null } as const
        records.report(scope, conferenceId, left)
        await records.flush()
        return { params: { conferenceId, callId } }
      },
    },
    foreign: participant(t => t.other),
  },
}
