// How the contract test meets the endpoints of conferences.
import type { ModuleContract } from '../../../../test/contract_types.ts'
import type { TestApp, TestOrganization } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/ids.ts'
import { conferenceWith } from './testing.ts'

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
  'conferences.change_participant': {
    prepare: participant(t => t.main),
    problems: {
      not_found: nobody,
      async participant_left(t) {
        const { scope, records, conferenceId, callId } = await conferenceWith(t)
        const left = { type: 'left', atMs: t.clock.now(), callId, reason: 'key', callbackUrl: null } as const
        records.tell(scope, conferenceId, left)
        await records.flush()
        return { params: { conferenceId, callId } }
      },
    },
    foreign: participant(t => t.other),
  },
}
