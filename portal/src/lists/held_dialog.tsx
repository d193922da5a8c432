// Dialogs that rows and forms open and that outlive them: a row goes, and an address changes, while a secret is still shown.
import { createContext, type ReactNode, useContext, useState } from 'react'

/** Draws the dialog until `onDone` is called; it takes the place of the one before. */
export type ShowDialog = (draw: (onDone: () => void) => ReactNode) => void

const Context = createContext<ShowDialog>(() => undefined)
export const useHeldDialog = () => useContext(Context)

export function HoldsDialog({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState<{ draw: Parameters<ShowDialog>[0] }>()
  const [show] = useState((): ShowDialog => draw => setHeld({ draw }))
  return (
    <Context value={show}>
      {children}
      {held?.draw(() => setHeld(undefined))}
    </Context>
  )
}
