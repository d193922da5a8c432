// How the contract test meets the endpoints of recordings.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/kernel/values/ids.ts'
import type { RecordingState } from '../../src/modules/voice/recordings/rules.ts'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { makeRecording } from '../voice/recordings.ts'

function inState(state: RecordingState) {
  return async (t: TestApp): Promise<ContractRequest> => {
    return { params: { recordingId: (await makeRecording(t, { state })).id } }
  }
}

async function missing(): Promise<ContractRequest> {
  return { params: { recordingId: newId('rec') } }
}

async function foreign(t: TestApp): Promise<ContractRequest> {
  return { params: { recordingId: (await makeRecording(t, { of: t.other })).id } }
}

/** As if the disk had lost it. */
async function withoutFile(t: TestApp): Promise<ContractRequest> {
  const { id, storage_key } = await makeRecording(t)
  rmSync(join(t.app.services.objects.folder.path, 'objects', storage_key as string))
  return { params: { recordingId: id } }
}

const available = inState('available')
const not_found = missing

export const contract: ModuleContract = {
  'recordings.get': { prepare: available, problems: { not_found }, foreign },
  'recordings.media': {
    prepare: available,
    problems: {
      not_found,
      recording_not_ready: inState('processing'),
      recording_has_no_media: inState('absent'),
      recording_unreachable: withoutFile,
    },
    foreign,
  },
  'recordings.delete': {
    prepare: available,
    problems: { not_found, recording_not_ready: inState('recording') },
    foreign,
  },
}
