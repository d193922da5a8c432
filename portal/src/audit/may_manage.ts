// Who may change how the audit log is kept, erase names from it and send it on: with the right to, and in live mode, for it is of live and
// test mode alike.
import { useSession } from '../session/session.ts'

export function useMayManageLog(): boolean {
  const { mode, permissions } = useSession()
  return permissions.has('audit:manage') && mode === 'live'
}
