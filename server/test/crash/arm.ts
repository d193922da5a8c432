// Loaded in front of the server by the crash harness: arms the place where it is to die.
import { armCrashPoint, type CrashPoint } from '../../src/kernel/crash_points.ts'

const [point, passes] = (process.env['CRASH_AT'] ?? '').split(':')
if (point) armCrashPoint(point as CrashPoint, Number(passes ?? 1))
