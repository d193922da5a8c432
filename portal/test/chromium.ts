// Finds and starts Chromium for tests and benches: headless, cut off from every host but this machine, quiet about
// updates and accounts, and ended with its whole process group even when it does not answer any more.
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'

/** The shell first: the same browser without a window's machinery takes a third less of the processor. */
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macPrograms = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium of this machine (TANDEM_CHROMIUM, then PATH), or null. */
export function findChromium(): string | null {
  const named = process.env['TANDEM_CHROMIUM']
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  const found = programs.flatMap(program => [...folders, '/usr/bin'].map(folder => join(folder, program)))
  return [...(named === undefined ? [] : [named]), ...found, ...macPrograms].find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For `{ skip }` of a test or suite: false, or the reason, which `npm test` lists at its end. */
export const chromiumMissing: string | false = findChromium() === null ? 'chromium is missing' : false

const flags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,SafeBrowsing,Translate',
  '--disable-search-engine-choice-screen',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-proxy-server',
  '--password-store=basic',
  // Containers give /dev/shm 64 MB, which large pages outgrow.
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

export type RunningBrowser = {
  browser: Browser
  pid: number
  /** The process group of all its processes: Debian's headless shell is a script that waits for the browser. */
  group: number
  /** @param patienceMs how long it may take to close by itself; 5 s by default */
  close(patienceMs?: number): Promise<void>
}

/** Starts Chromium; rejects within 30 s. `close` leaves no process of it, also when it hangs or has crashed. */
export async function startChromium(extraFlags: readonly string[] = []): Promise<RunningBrowser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error('Chromium is missing: sudo bash scripts/system_tools.sh installs it')
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({
    executablePath,
    args: [...flags, ...(isRoot ? ['--no-sandbox'] : []), ...extraFlags],
    timeout: 30_000,
  })
  const pid = await pidOf(browser)
  const group = groupOf(pid)
  return {
    browser,
    pid,
    group,
    async close(patienceMs = 5_000) {
      const closed = browser.close().then(
        () => true,
        () => false,
      )
      await Promise.race([closed, sleep(patienceMs, false, { ref: false })])
      endGroup(group)
    },
  }
}

async function pidOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const pid = processInfo.find(({ type }) => type === 'browser')?.id
  if (pid === undefined) throw new Error('Chromium does not report its process id')
  return pid
}

/** By `/proc/<pid>/stat` (proc(5)); elsewhere than on Linux the browser leads its group itself. */
function groupOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(fields[2])
  } catch {
    return pid
  }
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // All of it has ended by itself.
  }
}
