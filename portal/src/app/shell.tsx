// The frame around every screen: mode, navigation, search, the person's menu; and the drawers and dialogs that belong to
// no single screen.
import { Link, Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, CircleHelp, Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useOffered } from '../navigation/access.ts'
import { useFocusOnHeading } from '../navigation/focus_heading.ts'
import { useInspect } from '../navigation/inspect.ts'
import { type NamedScreen, type SideId, sides } from '../navigation/screen.ts'
import { setShortcuts, useShortcuts, useShortcutsEnabled } from '../navigation/shortcuts.ts'
import { setSide, useSide } from '../navigation/side.ts'
import { useAskedProof } from '../session/proof.ts'
import { type Mode, useSession, useSessionState } from '../session/session.ts'
import { setTheme, useTheme } from '../session/theme.ts'
import { PhoneSwitch } from '../softphone/phone_button.tsx'
import { usePhone } from '../softphone/store.ts'
import { CheckboxField, Dialog, Drawer, IconButton, Menu, SegmentedControl } from '../ui/index.ts'
import { Initials } from '../ui/initials.tsx'
import { lazyPart, signsOfSomebody as signs } from '../ui/lazy_part.tsx'
import { useLanguage } from '../words/language.ts'
import { type Entry, entriesOf, entryWith } from './entries.ts'
import { OrganizationBanner } from './organization_banner.tsx'
import { OrganizationSwitcher } from './organization_switcher.tsx'
import type { Palette as PaletteComponent } from './palette.tsx'
import { navigation } from './screens.ts'
import styles from './shell.module.css'
import { t } from './texts.ts'

const InspectorDrawer = lazyPart(() =>
  import('../inspector/inspector_drawer.tsx').then(module => module.InspectorDrawer),
)

const StepUpDialog = lazyPart(() => import('../account/step_up_dialog.tsx').then(module => module.StepUpDialog))

/** Only for who has a use for it. */
const PhoneDock = lazyPart(() => import('../softphone/phone_dock.tsx').then(module => module.PhoneDock))

/**
 * The palette, fetched from the first sign of a person on: no screen needs it to be shown. Anyone who presses Ctrl+K types on at
 * once: what is typed before it stands is kept for it. (`lazy` holds back what was suspended for 300 ms.)
 */
function usePalette(wanted: boolean, setWanted: (wanted: boolean) => void) {
  const [component, setComponent] = useState<typeof PaletteComponent>()
  const typed = useRef('')
  useEffect(() => {
    if (component !== undefined) return undefined
    const load = () => {
      for (const sign of signs) removeEventListener(sign, load)
      void import('./palette.tsx').then(
        // At once with the focus in its field: a key pressed between the two would be lost.
        ({ Palette }) => flushSync(() => setComponent(() => Palette)),
        // It is not to be had: who types goes on where they were.
        () => setWanted(false),
      )
    }
    if (!wanted) {
      for (const sign of signs) addEventListener(sign, load, { passive: true })
      return () => {
        for (const sign of signs) removeEventListener(sign, load)
      }
    }
    load()
    typed.current = ''
    const keep = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      typed.current += event.key
    }
    addEventListener('keydown', keep, { capture: true })
    return () => removeEventListener('keydown', keep, { capture: true })
  }, [wanted, setWanted, component])
  return { Palette: component, typed }
}

export function Shell() {
  // While the session ends the routes are checked again; until then there is nothing to frame.
  return useSessionState().status === 'in' ? <Frame /> : null
}

function Frame() {
  useLanguage()
  const { mode } = useSession()
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  const [menu, setMenu] = useState(false)
  const { inspected } = useInspect()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const side = useSide(useShownScreen())
  useShortcuts(navigation, { openPalette: () => setPalette(true), openHelp: () => setHelp(true) })
  const { Palette, typed } = usePalette(palette, setPalette)
  useFocusOnHeading(main)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page the navigation is closed
  useEffect(() => setMenu(false), [pathname])

  return (
    <div className={styles['shell']} data-mode={mode}>
      <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      <header className={styles['top']}>
        <TopBar onMenu={() => setMenu(true)} onPalette={() => setPalette(true)} onHelp={() => setHelp(true)} />
      </header>
      {mode === 'test' && <TestBanner />}
      <OrganizationBanner />
      <div className={styles['side']}>
        <Navigation />
      </div>
      <main id="main" ref={main} className={styles['main']} tabIndex={-1} key={mode}>
        <Beside />
        <Outlet />
      </main>
      <NavigationDrawer open={menu} onOpenChange={setMenu} />
      <HelpDialog open={help} onOpenChange={setHelp} />
      <Suspense fallback={null}>
        {palette && Palette !== undefined && (
          <Palette
            screens={navigation}
            side={side}
            start={typed.current}
            onClose={() => {
              typed.current = ''
              setPalette(false)
            }}
            onHelp={() => setHelp(true)}
          />
        )}
        {inspected !== undefined && <InspectorDrawer id={inspected} />}
      </Suspense>
      <ProofIfAsked />
      <PhoneIfWanted />
    </div>
  )
}

/** Whose it is, the way to anything, the mode, the phone and the person. */
function TopBar({ onMenu, onPalette, onHelp }: { onMenu(): void; onPalette(): void; onHelp(): void }) {
  return (
    <>
      <IconButton className={styles['menuButton']} label={t('menu')} icon={<MenuIcon size={18} />} onClick={onMenu} />
      <Link to="/" className={styles['brand']} aria-label={t('start')}>
        <img src="/favicon.svg" alt="" />
        <b>Tandem</b>
      </Link>
      <OrganizationSwitcher />
      <button type="button" className={styles['search']} aria-label={t('search')} onClick={onPalette}>
        <Search size={15} aria-hidden="true" />
        <span>{t('search')}</span> <kbd>{t('searchKeys')}</kbd>
      </button>
      <ModeSwitch className={styles['modeSwitch']} />
      <PhoneSwitch />
      <IconButton
        className={styles['helpButton']}
        label={t('shortcuts')}
        icon={<CircleHelp size={18} />}
        onClick={onHelp}
      />
      <PersonMenu />
    </>
  )
}

function NavigationDrawer({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} side="left" title={t('navigation')}>
      <div className={styles['drawerMode']}>
        <ModeSwitch />
      </div>
      <Navigation />
    </Drawer>
  )
}

function ProofIfAsked() {
  const settle = useAskedProof()
  return <Suspense fallback={null}>{settle !== undefined && <StepUpDialog onSettled={settle} />}</Suspense>
}

function PhoneIfWanted() {
  const { isOn, handset, call, ended, fault, note } = usePhone()
  const isWanted = isOn || handset !== null || call !== undefined || fault !== null || note !== null || ended.length > 0
  return <Suspense fallback={null}>{isWanted && <PhoneDock />}</Suspense>
}

const modes: readonly Mode[] = ['test', 'live']
function ModeSwitch({ className }: { className?: string }) {
  const { mode, setMode } = useSession()
  const options = modes.map(value => ({ value, label: t(`mode.${value}`), title: t(`modeHint.${value}`) }))
  return <SegmentedControl label={t('mode')} options={options} value={mode} onChange={setMode} className={className} />
}

/** Live mode is what everybody expects, and is said by the switch alone; test mode is said where nobody overlooks it. */
function TestBanner() {
  const { setMode } = useSession()
  return (
    <p className={styles['test']} data-testid="test-banner">
      <strong>{t('test')}</strong>
      <span>{t.rich('practice', { more: text => <span className={styles['testMore']}>{text}</span> })}</span>
      <button type="button" onClick={() => setMode('live')}>
        {t('goLive')}
      </button>
    </p>
  )
}

/** The screen that is shown, as its folder declares it. */
function useShownScreen(): NamedScreen | undefined {
  return useMatches({ select: matches => matches.findLast(({ staticData }) => staticData.screen)?.staticData.screen })
}

function useEntries() {
  const screen = useShownScreen()
  const side = useSide(screen)
  const entries = entriesOf(side, useOffered(navigation))
  return { screen, side, entries, entry: entryWith(entries, screen) }
}

const sideIds = Object.keys(sides) as SideId[]

/** The two sides, and the entries of the one that is shown. */
function Navigation() {
  const { side, entries, entry } = useEntries()
  const navigate = useNavigate()
  return (
    <>
      <SegmentedControl
        label={t('sides')}
        className={styles['sides']}
        options={sideIds.map(value => ({ value, label: t(`side.${value}`) }))}
        value={side}
        onChange={next => {
          setSide(next)
          void navigate({ to: '/' })
        }}
      />
      <nav aria-label={t('main')}>
        <ul>
          {entries.map(one => (
            <NavigationLink key={one.id} entry={one} isCurrent={one === entry} />
          ))}
        </ul>
      </nav>
    </>
  )
}

function NavigationLink({ entry, isCurrent }: { entry: Entry; isCurrent: boolean }) {
  const { icon: Icon, name, screens } = entry
  const current = isCurrent ? ('page' as const) : undefined
  return (
    <li>
      <Link
        to={screens[0]?.path as '/'}
        className={styles['link']}
        activeProps={{ 'aria-current': current }}
        inactiveProps={{ 'aria-current': current }}
      >
        <Icon size={16} />
        {name}
      </Link>
    </li>
  )
}

/** What stands beside the screen in its entry, as tabs; from a setting the way back to all of them. */
function Beside() {
  const { screen, entry } = useEntries()
  if (entry === undefined || screen === undefined) return null
  if (entry.id === 'settings') {
    if (screen.id === 'settings') return null
    return (
      <Link to={'/settings' as '/'} className={styles['back']}>
        <ChevronLeft size={14} aria-hidden="true" />
        {t('allSettings')}
      </Link>
    )
  }
  if (entry.screens.length < 2) return null
  return (
    <nav className={styles['tabs']} aria-label={t('tabs', { entry: entry.name })}>
      {entry.screens.map(({ id, path, name }) => (
        <Link
          key={id}
          to={path as '/'}
          className={styles['tab']}
          activeProps={{ 'aria-current': id === screen.id ? 'page' : undefined }}
          inactiveProps={{ 'aria-current': id === screen.id ? 'page' : undefined }}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

function PersonMenu() {
  const { user, logOut } = useSession()
  const { choice } = useTheme()
  const navigate = useNavigate()
  const themeItem = (theme: typeof choice) => {
    const label = t(`theme.${theme}`)
    return {
      key: theme,
      label: choice === theme ? t('themeChosen', { theme: label }) : label,
      onSelect: () => setTheme(theme),
    }
  }
  return (
    <Menu
      trigger={
        <button type="button" className={styles['person']} aria-label={t('account', { name: user.name })}>
          <Initials name={user.name} />
          <span className={styles['personName']} dir="auto">
            {user.name}
          </span>
        </button>
      }
      items={[
        {
          key: 'who',
          label: t('who', { email: user.email, role: user.role }),
          disabled: true,
          onSelect: () => undefined,
        },
        { key: 'account', label: t('myAccount'), onSelect: () => void navigate({ to: '/account' as '/' }) },
        themeItem('system'),
        themeItem('light'),
        themeItem('dark'),
        { key: 'out', label: t('logOut'), onSelect: () => void logOut() },
      ]}
    />
  )
}

function HelpDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const enabled = useShortcutsEnabled()
  const offered = useOffered(navigation)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('shortcuts')} wide>
      <dl className={styles['shortcuts']}>
        <Shortcut name={t('search')} keys={t('searchKeys')} />
        <Shortcut name={t('shortcut.send')} keys={t('sendKeys')} />
        <Shortcut name={t('shortcut.search')} keys="/" />
        <Shortcut name={t('shortcut.help')} keys="?" />
        {offered.map(screen => screen.key && <Shortcut key={screen.id} name={screen.name} keys={`g ${screen.key}`} />)}
      </dl>
      <CheckboxField
        label={t('singleKeys')}
        hint={t('singleKeysHint')}
        checked={enabled}
        onChange={event => setShortcuts(event.target.checked)}
      />
    </Dialog>
  )
}
function Shortcut({ name, keys }: { name: string; keys: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <kbd>{keys}</kbd>
      </dd>
    </div>
  )
}
