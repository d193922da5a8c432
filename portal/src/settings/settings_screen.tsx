// All settings on one page: in groups, and found by a word.
import { Link, useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useOffered } from '../navigation/access.ts'
import { type ScreenEntry, settingGroups } from '../navigation/screen.ts'
import { ScreenIcon } from '../navigation/screen_icon.tsx'
import { pageSearch } from '../navigation/shortcuts.ts'
import { EmptyState, PageHeader, TextField, Toolbar } from '../ui/index.ts'
import { matching } from './matching.ts'
import styles from './settings.module.css'
import { t } from './texts.ts'

/** The screens that declare themselves as settings, in the order of the one list. */
function useSettings(): readonly ScreenEntry[] {
  const { routesById } = useRouter()
  const screens = useMemo(() => {
    const all = Object.values(routesById).flatMap(
      ({ options }) => (options.staticData as { screen?: ScreenEntry } | undefined)?.screen ?? [],
    )
    return [...new Set(all)].filter(({ setting }) => setting !== undefined)
  }, [routesById])
  return useOffered(screens)
}

export function SettingsScreen() {
  const [typed, setTyped] = useState('')
  const found = matching(useSettings(), typed)
  const groups = settingGroups.flatMap(group => {
    const screens = found.filter(({ setting }) => setting === group)
    return screens.length === 0 ? [] : [{ group, screens }]
  })
  return (
    <>
      <PageHeader title={t('title')} description={t('about')} />
      <Toolbar label={t('find')}>
        <TextField
          label={t('find')}
          type="search"
          placeholder={t('example')}
          autoComplete="off"
          value={typed}
          onChange={event => setTyped(event.target.value)}
          {...pageSearch}
          data-page-search="all"
        />
      </Toolbar>
      {groups.map(({ group, screens }) => (
        <section key={group} className={styles['group']} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {screens.map(screen => (
              <Setting key={screen.id} screen={screen} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <EmptyState title={t('none', { text: typed.trim() })} text={t('noneText')} />}
    </>
  )
}

function Setting({ screen: { id, path, name, hint } }: { screen: ScreenEntry }) {
  return (
    <li>
      <Link to={path as '/'} className={styles['setting']}>
        <span className={styles['icon']}>
          <ScreenIcon id={id} size={18} />
        </span>
        <span>
          <b>{name}</b>
          <span className={styles['hint']}>{hint}</span>
        </span>
      </Link>
    </li>
  )
}
