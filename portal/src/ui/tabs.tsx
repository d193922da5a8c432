// Tabs: one of several panels at a time, chosen by press or arrow keys.
import { Tabs as RadixTabs } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './overlay.module.css'

export type TabsProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[]
  value: Value
  onChange(value: Value): void
}
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  return (
    <RadixTabs.Root value={value} onValueChange={next => onChange(next as Value)}>
      <RadixTabs.List className={styles['tabs']} aria-label={label}>
        {tabs.map(tab => (
          <RadixTabs.Trigger key={tab.value} value={tab.value} className={styles['tab']}>
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map(tab => (
        <RadixTabs.Content key={tab.value} value={tab.value} className={styles['panel']}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}
