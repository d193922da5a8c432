// Problems in the chosen language, fetched by those who read another one than English; `ui/faults.ts` says them.
import type { FaultWords } from '../ui/faults.ts'
import { fieldSaid } from './fields/texts.ts'
import { problemSaid } from './texts.ts'

export const faultWords: FaultWords = { problem: problemSaid, field: fieldSaid }
