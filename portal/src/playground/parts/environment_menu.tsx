// The environment whose variables count, chosen in the bar.
import { Settings2 } from 'lucide-react'
import { IconButton, SelectField } from '../../ui/index.ts'
import type { EnvironmentState } from '../state/use_environment.ts'
import { t } from '../texts.ts'
import styles from './screen.module.css'

export type EnvironmentMenuProps = { environment: EnvironmentState; onManage(): void }

export function EnvironmentMenu({ environment, onManage }: EnvironmentMenuProps) {
  const { list, chosen, choose } = environment
  const options = list.map(({ environmentId, name, shared }) => ({
    value: environmentId,
    label: shared ? name : t('privateNamed', { name }),
  }))
  return (
    <div className={styles['environment']}>
      <SelectField
        label={t('environment')}
        hideLabel
        value={chosen?.environmentId ?? ''}
        options={[{ value: '', label: t('noEnvironment') }, ...options]}
        onChange={event => choose(event.target.value === '' ? undefined : event.target.value)}
      />
      <IconButton size="sm" label={t('environments')} icon={<Settings2 size={15} />} onClick={onManage} />
    </div>
  )
}
