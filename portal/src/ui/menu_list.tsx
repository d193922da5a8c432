// The list that a menu button opens. Its place, focus, keys and what ends it are Radix's work.
import { Anchor, Content, Item, Portal, Root } from '@radix-ui/react-menu'
import { type RefObject, useRef } from 'react'
import { classes } from './button.tsx'
import type { MenuItem } from './menu_item.ts'
import styles from './overlay.module.css'

export type MenuListProps = {
  id: string
  button: RefObject<HTMLButtonElement | null>
  /** The id of the button. */
  labelledBy: string
  /** Whether a key opened it: then its first entry gets the focus, and else none. */
  byKeys: RefObject<boolean>
  open: boolean
  onOpenChange(open: boolean): void
  items: readonly MenuItem[]
}

export function MenuList({ id, button, labelledBy, byKeys, open, onOpenChange, items }: MenuListProps) {
  const wentElsewhere = useRef(false)
  return (
    <Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Portal>
        <Content
          id={id}
          aria-labelledby={labelledBy}
          className={styles['menu']}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onFocus={({ target, currentTarget }) => {
            // Radix knows only of keys that were pressed since it came.
            if (!byKeys.current || target !== currentTarget) return
            byKeys.current = false
            currentTarget.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus()
          }}
          onPointerDownOutside={event => {
            // The button closes what it opened by itself.
            if (button.current?.contains(event.target as Node)) event.preventDefault()
          }}
          onInteractOutside={event => {
            wentElsewhere.current = !button.current?.contains(event.target as Node)
          }}
          onCloseAutoFocus={event => {
            event.preventDefault()
            if (!wentElsewhere.current) button.current?.focus()
            wentElsewhere.current = false
          }}
        >
          {items.map(item => (
            <Item
              key={item.key}
              className={classes(styles['item'], item.danger && styles['dangerous'])}
              disabled={item.disabled ?? false}
              onSelect={item.onSelect}
            >
              {item.icon}
              {item.label}
            </Item>
          ))}
        </Content>
      </Portal>
    </Root>
  )
}
