// What calls under instructions work with in the running server: see control/tools.ts.
import type { Services } from '../../kernel/endpoint.ts'
import { destinationRefusal, policiesIn, textOf } from '../destinations/index.ts'
import { sendText } from '../messaging/sms/index.ts'
import { createAsker } from './callbacks.ts'
import { mayShow } from './calls/index.ts'
import { createConferenceRecords } from './conferences/index.ts'
import type { OuterTools } from './node.ts'
import { answeringOf } from './numbers/index.ts'
import { openRecording } from './recordings/local_file.ts'
import { defaultCountryOf } from './sip_credentials/index.ts'
import { createSounds } from './sounds.ts'

export function callTools(services: Services, owner: string): OuterTools {
  return {
    ask: createAsker(services),
    ...createSounds(services),
    recordings: { open: ({ ref }, channels) => openRecording(services, ref, { owner, channels }) },
    conferenceRecords: createConferenceRecords(services),
    answering: (tx, scope, to) => answeringOf(tx, scope, services.pepper, to),
    mayShow: ({ ref, mode }, number) => services.db.inTenant(ref, tx => mayShow(tx, { ...ref, mode }, number)),
    policyAgainst: ({ ref, mode, call }, to) =>
      services.db.inTenant(ref, async tx => {
        const policies = await policiesIn(tx, ref, { mode, keyId: call.key_id })
        const refusal = destinationRefusal(policies, to, await defaultCountryOf(tx, ref))
        return refusal && textOf(refusal)
      }),
    async message({ ref, mode, call }, text) {
      await sendText(services, { tenantId: ref.tenantId, mode, keyId: call.key_id }, text)
    },
  }
}
