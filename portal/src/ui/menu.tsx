// A button that opens a list of actions, as the menu button of the ARIA Authoring Practices: by a press, Enter, Space or an arrow. What draws
// the list is fetched from the first sign of a person on.
import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  useId,
  useRef,
  useState,
} from 'react'
import type { ButtonProps } from './button.tsx'
import { readyPart } from './lazy_part.tsx'
import type { MenuItem } from './menu_item.ts'

const MenuList = readyPart(() => import('./menu_list.tsx').then(module => module.MenuList))

export type MenuProps = { trigger: ReactElement<ButtonProps>; items: readonly MenuItem[] }

/** `trigger` is the button. */
export function Menu({ trigger, items }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const byKeys = useRef(false)
  // The list is fetched from then on.
  const [isNear, setNear] = useState(false)
  const near = () => setNear(true)
  const isOff = trigger.props.disabled === true
  const change = (next: boolean, isKey: boolean) => {
    byKeys.current = isKey
    if (!isOff) setOpen(next)
  }
  const props: ButtonProps & { id: string } = {
    id: trigger.props.id ?? id,
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    ...(open && { 'aria-controls': `${id}-menu` }),
    onPointerEnter: near,
    onFocus: near,
    onPointerDown(event: PointerEvent<HTMLButtonElement>) {
      if (event.button !== 0 || event.ctrlKey || event.pointerType === 'touch') return
      // The list takes the focus, and not the button after it.
      if (!open) event.preventDefault()
      change(!open, false)
    },
    onClick(event: MouseEvent<HTMLButtonElement>) {
      // By touch, where scrolling must open nothing, and by a screen reader, which presses nothing.
      const { pointerType } = event.nativeEvent as globalThis.PointerEvent
      if (pointerType === 'touch' || event.detail === 0) change(!open, false)
    },
    onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
      if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
      event.preventDefault()
      change(event.key === 'ArrowDown' || !open, true)
    },
  }
  return (
    <>
      {cloneElement(trigger, props)}
      {(isNear || open) && (
        <MenuList
          id={`${id}-menu`}
          button={button}
          labelledBy={props.id}
          byKeys={byKeys}
          open={open}
          onOpenChange={setOpen}
          items={items}
        />
      )}
    </>
  )
}
