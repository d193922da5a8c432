// Whose eyes the catalog is seen with: the person's role, or one of their API keys. The keys are asked for only when
// somebody wants to choose one.
import type { ApiKey } from '@tandem/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { Caller } from './may_call.ts'
import { t } from './texts.ts'

/** The value of the filter that means the person's own role; keys stand by their id. */
export const byRole = 'role'

export type Callers = {
  keys: UseQueryResult<ApiKey[]>
  /** Who is asked for; undefined while the keys are on their way, or when the key is not among them. */
  chosen: Caller | undefined
  /** The person by their role. */
  self: Caller
}

/** @param value of the filter `caller`; @param wanted whether the keys are to be known */
export function useCallers(value: string, wanted: boolean): Callers {
  const { mode, user, permissions } = useSession()
  const api = useApi()
  const isKey = value !== '' && value !== byRole
  const keys = useQuery({
    queryKey: [mode, 'explorer', 'own-keys', user.id],
    enabled: wanted || isKey,
    queryFn: async ({ signal }) => {
      const page = await api.apiKeys.list({ userId: user.id, active: true, limit: 200 }, { signal })
      return page.items
    },
  })
  const self: Caller = useMemo(() => ({ role: user.role, permissions, mode }), [user.role, permissions, mode])
  const key = keys.data?.find(({ keyId }) => keyId === value)
  const asKey = useMemo(
    () => (key === undefined ? undefined : { role: user.role, permissions, mode: key.mode, key }),
    [user.role, permissions, key],
  )
  return { keys, self, chosen: isKey ? asKey : self }
}

/** How a key is distinguished from others: name, mode and last letters. */
export function keyLabel({ name, mode, lastFour }: Pick<ApiKey, 'name' | 'mode' | 'lastFour'>): string {
  return t('keyLabel', { name, mode, lastFour })
}
