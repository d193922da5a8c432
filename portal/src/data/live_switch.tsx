// The switch of a live view: says whether the stream stands, and holds the list still when turned off.
import { CheckboxField } from '../ui/index.ts'
import type { LiveState } from './live.ts'
import styles from './live_switch.module.css'
import { t } from './texts.ts'

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
      <CheckboxField label={t('live')} checked={live} onChange={event => onChange(event.target.checked)} />
      <span className={styles['state']} role="status">
        {t(live ? `live.${state}` : 'live.paused')}
      </span>
    </div>
  )
}
