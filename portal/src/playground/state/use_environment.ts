// The environment that is chosen: its variables, and the values of secret ones, which live in this page's memory only.
import type { Environment } from '@tandem/sdk'
import { useCallback, useState } from 'react'
import { useEnvironments } from '../collections/queries.ts'
import type { Mode } from '../kept/drafts.ts'
import type { Variable } from '../request/variables.ts'
import { pageState } from './page_state.ts'

export type EnvironmentState = {
  /** Those for the mode. */
  list: readonly Environment[]
  chosen: Environment | undefined
  choose(environmentId: string | undefined): void
  /** Those that have a value. */
  variables: readonly Variable[]
  /** The value of a secret variable of the chosen one; empty: none yet. */
  secretOf(name: string): string
  setSecret(name: string, value: string): void
}

const placeOf = (userId: number, mode: Mode) => `tandem.playground.environment.${userId}.${mode}`

function storedChoice(place: string): string | undefined {
  try {
    return localStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}

/** Its id only is kept in the browser: which one was chosen last. */
function storeChoice(place: string, environmentId: string | undefined): void {
  try {
    if (environmentId === undefined) localStorage.removeItem(place)
    else localStorage.setItem(place, environmentId)
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

export function useEnvironment(userId: number, mode: Mode): EnvironmentState {
  const page = pageState(userId)
  const place = placeOf(userId, mode)
  const [ids, setIds] = useState<Partial<Record<Mode, string | undefined>>>({})
  const [, redraw] = useState(0)
  const { data = [] } = useEnvironments()
  const list = data.filter(each => each.mode === null || each.mode === mode)
  const id = mode in ids ? ids[mode] : storedChoice(place)
  const chosen = list.find(({ environmentId }) => environmentId === id)
  const secretKey = (name: string) => `${chosen?.environmentId ?? ''} ${name}`
  const secretOf = (name: string) => {
    page.secretsUsedAtMs = Date.now()
    return page.secretValues.get(secretKey(name)) ?? ''
  }
  const choose = useCallback(
    (next: string | undefined) => {
      storeChoice(place, next)
      setIds(before => ({ ...before, [mode]: next }))
    },
    [place, mode],
  )
  const variables = (chosen?.variables ?? []).flatMap(({ name, value, secret }) => {
    const own = secret ? secretOf(name) : value
    return own === null || (secret && own === '') ? [] : [{ name, value: own, source: chosen?.name ?? '' }]
  })
  return {
    ...{ list, chosen, choose, variables, secretOf },
    setSecret(name, value) {
      if (value === '') page.secretValues.delete(secretKey(name))
      else page.secretValues.set(secretKey(name), value)
      redraw(count => count + 1)
    },
  }
}
