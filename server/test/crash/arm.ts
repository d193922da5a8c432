// Loaded in front of the server by the crash harness: arms the place where it is to die, and has it write down that it died there and
// nowhere else. A process that is killed writes no compile cache at its end: what it has compiled by then is written soon after its start.
import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { armCrashPoint, type CrashPoint } from '../../src/kernel/values/crash_points.ts'

const { CRASH_AT = '', CRASH_NOTE } = process.env
const [point, passes] = CRASH_AT.split(':')
if (point)
  armCrashPoint(point as CrashPoint, Number(passes ?? 1), () => {
    if (CRASH_NOTE !== undefined) writeFileSync(CRASH_NOTE, point)
  })

setTimeout(flushCompileCache, 3_000).unref()
