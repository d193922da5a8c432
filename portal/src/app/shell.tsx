// The frame around every screen: mode, navigation, search, the person's menu; and the drawers and dialogs that belong to
// no single screen.
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { CircleHelp, CircleUser, Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useOffered } from '../navigation/access.ts'
import { useFocusOnHeading } from '../navigation/focus_heading.ts'
import { useInspect } from '../navigation/inspect.ts'
import { lazyPart, signsOfSomebody as signs } from '../navigation/lazy_screen.tsx'
import { type ScreenEntry, sections } from '../navigation/screen.ts'
import { setShortcuts, useShortcuts, useShortcutsEnabled } from '../navigation/shortcuts.ts'
import { useAskedProof } from '../session/proof.ts'
import { type Mode, useSession, useSessionState } from '../session/session.ts'
import { setTheme, useTheme } from '../session/theme.ts'
import { PhoneSwitch } from '../softphone/phone_button.tsx'
import { usePhone } from '../softphone/store.ts'
import { CheckboxField, Dialog, Drawer, IconButton, Menu, SegmentedControl } from '../ui/index.ts'
import { OrganizationBanner } from './organization_banner.tsx'
import { OrganizationSwitcher } from './organization_switcher.tsx'
import type { Palette as PaletteComponent } from './palette.tsx'
import { navigation } from './screens.ts'
import styles from './shell.module.css'

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
  const { mode } = useSession()
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  const [menu, setMenu] = useState(false)
  const { inspected } = useInspect()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  useShortcuts(navigation, { openPalette: () => setPalette(true), openHelp: () => setHelp(true) })
  const { Palette, typed } = usePalette(palette, setPalette)
  useFocusOnHeading(main)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page the navigation is closed
  useEffect(() => setMenu(false), [pathname])

  return (
    <div className={styles['shell']}>
      <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header className={styles['top']} data-mode={mode}>
        <IconButton
          className={styles['menuButton']}
          label="Open navigation"
          icon={<MenuIcon size={18} />}
          onClick={() => setMenu(true)}
        />
        <Link to="/" className={styles['brand']} aria-label="Tandem, dashboard">
          <img src="/favicon.svg" alt="" />
          <b>Tandem</b>
        </Link>
        <div className={styles['mode']}>
          <strong className={styles['modeWord']} data-mode={mode} data-testid="mode-word">
            {mode.toUpperCase()}
          </strong>
          <ModeSwitch className={styles['modeSwitch']} />
        </div>
        <button
          type="button"
          className={styles['search']}
          aria-label="Search or jump to"
          onClick={() => setPalette(true)}
        >
          <Search size={15} aria-hidden="true" />
          <span>Search or jump to</span>
          <kbd>Ctrl K</kbd>
        </button>
        <PhoneSwitch />
        <IconButton label="Keyboard shortcuts" icon={<CircleHelp size={18} />} onClick={() => setHelp(true)} />
        <OrganizationSwitcher />
        <PersonMenu />
      </header>
      <OrganizationBanner />
      <nav className={styles['side']} aria-label="Main">
        <NavigationLinks />
      </nav>
      <main id="main" ref={main} className={styles['main']} tabIndex={-1} key={mode}>
        <Outlet />
      </main>
      <NavigationDrawer open={menu} onOpenChange={setMenu} />
      <HelpDialog open={help} onOpenChange={setHelp} />
      <Suspense fallback={null}>
        {palette && Palette !== undefined && (
          <Palette
            screens={navigation}
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

function NavigationDrawer({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} side="left" title="Navigation">
      <div className={styles['drawerMode']}>
        <ModeSwitch />
      </div>
      <nav aria-label="Main">
        <NavigationLinks />
      </nav>
    </Drawer>
  )
}

function ProofIfAsked() {
  const settle = useAskedProof()
  return <Suspense fallback={null}>{settle !== undefined && <StepUpDialog onSettled={settle} />}</Suspense>
}

function PhoneIfWanted() {
  const { isOn, handset, call, fault, note } = usePhone()
  const isWanted = isOn || handset !== null || call !== undefined || fault !== null || note !== null
  return <Suspense fallback={null}>{isWanted && <PhoneDock />}</Suspense>
}

const modeOptions: { value: Mode; label: string; title: string }[] = [
  { value: 'test', label: 'Test', title: 'Test data; only the simulator carries messages and calls' },
  { value: 'live', label: 'Live', title: 'Real data; messages and calls reach real people' },
]
function ModeSwitch({ className }: { className?: string }) {
  const { mode, setMode } = useSession()
  return <SegmentedControl label="Mode" options={modeOptions} value={mode} onChange={setMode} className={className} />
}

function NavigationLinks() {
  const screens = useOffered(navigation)
  const offered = sections.filter(section => screens.some(screen => screen.section === section))
  return offered.map(section => (
    <div key={section}>
      <div className={styles['section']}>{section}</div>
      <ul>
        {screens
          .filter(screen => screen.section === section)
          .map(screen => (
            <NavigationLink key={screen.id} screen={screen} />
          ))}
      </ul>
    </div>
  ))
}
function NavigationLink({ screen }: { screen: ScreenEntry }) {
  const { icon: Icon } = screen
  return (
    <li>
      <Link
        to={screen.path as '/'}
        className={styles['link']}
        activeOptions={{ exact: screen.path === '/', includeSearch: false }}
      >
        {Icon !== undefined && <Icon size={16} />}
        {screen.name}
      </Link>
    </li>
  )
}

function PersonMenu() {
  const { user, logOut } = useSession()
  const { choice } = useTheme()
  const navigate = useNavigate()
  const mark = (of: typeof choice) => (choice === of ? ', chosen' : '')
  return (
    <Menu
      trigger={<IconButton label={`Account of ${user.name}`} icon={<CircleUser size={20} />} />}
      items={[
        { key: 'who', label: `${user.email}, ${user.role}`, disabled: true, onSelect: () => undefined },
        { key: 'account', label: 'My account', onSelect: () => void navigate({ to: '/account' as '/' }) },
        { key: 'system', label: `Theme of the system${mark('system')}`, onSelect: () => setTheme('system') },
        { key: 'light', label: `Light theme${mark('light')}`, onSelect: () => setTheme('light') },
        { key: 'dark', label: `Dark theme${mark('dark')}`, onSelect: () => setTheme('dark') },
        { key: 'out', label: 'Log out', onSelect: () => void logOut() },
      ]}
    />
  )
}

function HelpDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const enabled = useShortcutsEnabled()
  const offered = useOffered(navigation)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" wide>
      <dl className={styles['shortcuts']}>
        <Shortcut name="Search or jump to" keys="Ctrl K" />
        <Shortcut name="Send the request (Playground)" keys="Ctrl Enter" />
        <Shortcut name="Search on this page" keys="/" />
        <Shortcut name="This list" keys="?" />
        {offered.map(screen => screen.key && <Shortcut key={screen.id} name={screen.name} keys={`g ${screen.key}`} />)}
      </dl>
      <CheckboxField
        label="Shortcuts of single keys"
        hint="Those with Ctrl or Cmd always work."
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
