// What calls under instructions work with in the running server: see control/run.ts.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { destinationRefusal, policiesIn, textOf } from '../../destinations/index.ts'
import { acceptSms } from '../../messaging/sms/index.ts'
import { createAsker } from '../callbacks/index.ts'
import { mayShow } from '../caller_ids/index.ts'
import { createConferenceRecords } from '../conferences/index.ts'
import { handlingOf } from '../numbers/index.ts'
import { openRecording } from '../recordings/index.ts'
import { defaultCountryOf } from '../sip_credentials/index.ts'
import type { OuterTools } from './node.ts'
import { createSounds } from './sounds.ts'

export function callTools(services: Services, owner: string): OuterTools {
  return {
    ask: createAsker(services),
    ...createSounds(services),
    recordings: { open: ({ ref }, channels) => openRecording(services, ref, { owner, channels }) },
    conferenceRecords: createConferenceRecords(services),
    handlingOf: (tx, scope, to) => handlingOf(tx, scope, services.keyring, to),
    mayShow: ({ ref, mode }, number) => services.db.inTenant(ref, tx => mayShow(tx, { ...ref, mode }, number)),
    policyAgainst: ({ ref, mode, call }, to) =>
      services.db.inTenant(ref, async tx => {
        const policies = await policiesIn(tx, ref, { mode, keyId: call.key_id })
        const refusal = destinationRefusal(policies, to, await defaultCountryOf(tx, ref))
        return refusal && textOf(refusal)
      }),
    async message({ ref, mode, call }, text) {
      await acceptSms(services, { tenantId: ref.tenantId, mode, keyId: call.key_id }, text)
    },
  }
}
