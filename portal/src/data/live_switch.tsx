// The switch of a live view: says whether the stream stands, and holds the list still when turned off.
import { CheckboxField } from '../ui/index.ts'
import type { LiveState } from './live.ts'
import styles from './live_switch.module.css'

const words: Record<LiveState, string> = { closed: 'not connected', connecting: 'connecting', open: 'connected' }

export function LiveSwitch({
  live,
  state,
  onChange,
}: {
  live: boolean
  state: LiveState
  onChange(live: boolean): void
}) {
  return (
    <div className={styles['switch']} data-state={live ? state : 'closed'}>
      <CheckboxField label="Live" checked={live} onChange={event => onChange(event.target.checked)} />
      <span className={styles['state']} role="status">
        {live ? words[state] : 'paused'}
      </span>
    </div>
  )
}
