// What calls under instructions work with in the running server: see control/tools.ts.
import type { Services } from '../../kernel/endpoint.ts'
import { sendText } from '../messaging/sms/index.ts'
import { createAsker } from './callbacks.ts'
import { mayShow } from './calls/index.ts'
import { createConferenceRecords } from './conferences/index.ts'
import type { OuterTools } from './node.ts'
import { answeringOf } from './numbers/index.ts'
import { openRecording } from './recordings/local_file.ts'
import { createSounds } from './sounds.ts'

export function callTools(services: Services, owner: string): OuterTools {
  return {
    ask: createAsker(services),
    ...createSounds(services),
    recordings: { open: ({ ref }, channels) => openRecording(services, ref, { owner, channels }) },
    conferenceRecords: createConferenceRecords(services),
    answering: (tx, scope, to) => answeringOf(tx, scope, services.pepper, to),
    mayShow: ({ ref, mode }, number) => services.db.inTenant(ref, tx => mayShow(tx, { ...ref, mode }, number)),
    async message({ ref, mode }, text) {
      await sendText(services, { tenantId: ref.tenantId, mode }, text)
    },
  }
}
