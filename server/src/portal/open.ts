// Gives the portal to anyone who opens the server's address: the one that is built already from the first request on, else a page that
// says it is being built until it is there, or what failed and what to do. Nothing waits for a build, and none fails a start.
import type { Log } from '../kernel/observe/log.ts'
import { builtPortal, type PortalFolders, preparePortal } from './build.ts'
import { portalFault } from './fault.ts'
import { readBundle, type Showing } from './pages.ts'

export type PortalOpening = {
  folders: PortalFolders
  show(showing: Showing): void
  log: Pick<Log, 'info' | 'error'>
}

/**
 * Shows what there is. Answers what builds the rest and shows it, to be called once the API is at work: a build takes the whole machine
 * for some seconds. Neither throws.
 */
export function openPortal({ folders, show, log }: PortalOpening): (signal: AbortSignal) => Promise<void> {
  function fail(error: unknown): void {
    const { message } = error as Error
    log.error({ why: message }, 'the portal could not be built; fix that and start again, or set TANDEM_PORTAL=0')
    show({ kind: 'failure', ...portalFault(error, folders.root) })
  }

  try {
    const folder = builtPortal(folders)
    if (folder !== undefined) {
      show({ kind: 'portal', bundle: readBundle(folder) })
      return async () => {}
    }
  } catch (error) {
    fail(error)
    return async () => {}
  }
  show({ kind: 'building' })
  return async signal => {
    try {
      log.info('building the portal; its pages say so until it is there')
      const { folder, builtMs } = await preparePortal(folders, signal)
      show({ kind: 'portal', bundle: readBundle(folder) })
      log.info({ ms: Math.round(builtMs ?? 0) }, 'built the portal')
    } catch (error) {
      if (!signal.aborted) fail(error)
    }
  }
}
