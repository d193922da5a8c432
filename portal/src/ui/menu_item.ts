// An entry of a menu.
import type { ReactNode } from 'react'

export type MenuItem = {
  key: string
  label: string
  icon?: ReactNode
  danger?: boolean
  disabled?: boolean
  onSelect(): void
}
