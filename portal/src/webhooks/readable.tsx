// The gate of all pages of webhooks: anyone who may not read them is shown why not.
import type { ReactNode } from 'react'
import { Refused } from '../navigation/fallbacks.tsx'
import { useSession } from '../session/session.ts'
import { t } from './texts.ts'

export function Readable({ children }: { children: ReactNode }) {
  const { permissions } = useSession()
  return permissions.has('webhooks:read') ? children : <Refused title={t('webhooks')} />
}
