// The gate of all pages of webhooks: who may not read them is told why not.
import type { ReactNode } from 'react'
import { Refused } from '../app/fallbacks.tsx'
import { useSession } from '../app/session.ts'

export function Readable({ children }: { children: ReactNode }) {
  const { permissions } = useSession()
  return permissions.has('webhooks:read') ? children : <Refused title="Webhooks" permission="webhooks:read" />
}
