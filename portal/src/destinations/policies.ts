// Where destination policies are kept in the portal's memory.
import type { Mode } from '../session/session.ts'

export const policyKey = (mode: Mode, of: string) => [mode, 'destination-policy', of]
