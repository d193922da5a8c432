// What live and test mode share (users, settings of the organization) is read and changed in live mode, whatever mode the portal is in.
import type { ReactNode } from 'react'
import { ownMode } from './session.ts'

export function InLiveMode({ children }: { children: ReactNode }) {
  return <ownMode.Provider value="live">{children}</ownMode.Provider>
}
