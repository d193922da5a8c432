// The environment whose variables count, chosen in the bar.
import { Settings2 } from 'lucide-react'
import { IconButton, SelectField } from '../../ui/index.ts'
import type { EnvironmentState } from '../state/use_environment.ts'
import styles from './screen.module.css'

export type EnvironmentMenuProps = { environment: EnvironmentState; onManage(): void }

export function EnvironmentMenu({ environment, onManage }: EnvironmentMenuProps) {
  const { list, chosen, choose } = environment
  const options = list.map(({ environmentId, name, shared }) => ({
    value: environmentId,
    label: shared ? name : `${name} (private)`,
  }))
  return (
    <div className={styles['environment']}>
      <SelectField
        label="Environment"
        hideLabel
        value={chosen?.environmentId ?? ''}
        options={[{ value: '', label: 'No environment' }, ...options]}
        onChange={event => choose(event.target.value === '' ? undefined : event.target.value)}
      />
      <IconButton size="sm" label="Environments" icon={<Settings2 size={15} />} onClick={onManage} />
    </div>
  )
}
