// The variables of a mode, kept in the store as they change.
import { useEffect, useState } from 'react'
import type { Mode } from '../../session/session.ts'
import { findVariables, keepVariables } from '../kept/saved.ts'
import type { Store } from '../kept/store.ts'
import { setVariable, type Variable } from '../request/variables.ts'

export type Variables = {
  list: readonly Variable[]
  set(variable: Variable): void
  setAll(variables: readonly Variable[]): void
  replace(list: readonly Variable[]): void
}

export function useVariables(store: Store | undefined, mode: Mode, secrets: () => string[]): Variables {
  const [list, setList] = useState<readonly Variable[]>([])
  useEffect(() => {
    if (store === undefined) return undefined
    let gone = false
    findVariables(store, mode).then(
      found => !gone && setList(found),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [store, mode])
  const replace = (next: readonly Variable[]) => {
    setList(next)
    if (store !== undefined) void keepVariables(store, mode, next, secrets()).catch(() => undefined)
  }
  const setAll = (variables: readonly Variable[]) => replace(variables.reduce(setVariable, [...list]))
  return { list, replace, setAll, set: variable => setAll([variable]) }
}
